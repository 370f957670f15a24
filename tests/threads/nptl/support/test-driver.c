/* test-driver.c: what glibc's tests include at their end, in place of glibc's own driver, which does a test in a child process. */
#include <stdlib.h>
#include <support/check.h>
#include <support/test-driver.h>

unsigned int test_verbose;
static volatile int failed;
void support_record_failure(void) { failed = 1; }
int support_report_failure(int status) { return status ? status : failed; }
int support_record_failure_is_failed(void) { return failed; }
void support_record_failure_reset(void) { failed = 0; }

int main(int argc, char **argv) {
    (void)argc, (void)argv;
#ifdef PREPARE
    PREPARE(argc, argv);
#endif
#if defined TEST_FUNCTION_ARGV
    int status = TEST_FUNCTION_ARGV(argc, argv);
#elif defined TEST_FUNCTION
    int status = TEST_FUNCTION();
#else
    int status = do_test();
#endif
#ifdef EXPECTED_STATUS
    status = status == EXPECTED_STATUS ? 0 : status ? status : 1;
#endif
    return support_report_failure(status);
}
