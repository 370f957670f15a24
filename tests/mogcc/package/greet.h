#ifdef __cplusplus
extern "C"
#endif
const char *greet(void);
#ifdef __cplusplus
extern "C"
#endif
int more(int n);
