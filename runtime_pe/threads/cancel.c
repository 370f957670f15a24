/* cancel.c: threads are cancelled. It arrives as news.c says. */
#include "thread.h"

/* What a cancelled thread comes to. */
static void (*const ends)(void *) __attribute__((used)) = __mog_end_thread;

int pthread_cancel(pthread_t number) {
    struct thread *thread = (struct thread *)number;
    if (has_ended(thread)) return ESRCH;
    __mog_send_news(thread, NEWS_CANCELLED);
    if (thread == &__mog_self && thread->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) pthread_testcancel();
    return 0;
}
void pthread_testcancel(void) { cancellation_point(); }

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (old) *old = __mog_self.cancel_type;
    __mog_self.cancel_type = type;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) pthread_testcancel();
    return 0;
}
