/* What the files of this program know of each other. */
extern int shared_count;
extern const char second_name[];
int second_file(void);
int third_file(void);
int call_back(int (*f)(void));
extern int (*const table[])(void);
