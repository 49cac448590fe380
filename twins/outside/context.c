/* Contexts: a program's own stacks. The runtime is told when control goes from one to another. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <ucontext.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define TWIN(name) __attribute__((weak)) HIDDEN __faultline_twin_##name

/* Of the runtime. */
HIDDEN void __faultline_context_made(const void *stack, unsigned long length);
HIDDEN void __faultline_context_switch(unsigned long to);
HIDDEN void __faultline_context_over(unsigned long to);

static unsigned long stack_of(const ucontext_t *context) { return (unsigned long)context->uc_mcontext.gregs[REG_RSP]; }

int TWIN(swapcontext)(ucontext_t *from, const ucontext_t *to) {
    __faultline_context_switch(stack_of(to));
    int result = swapcontext(from, to);
    if (result == -1)
        __faultline_context_switch((unsigned long)__builtin_frame_address(0));
    return result;
}

int TWIN(setcontext)(const ucontext_t *to) {
    __faultline_context_switch(stack_of(to));
    int result = setcontext(to);
    __faultline_context_switch((unsigned long)__builtin_frame_address(0));
    return result;
}

/* Arguments of a context's function. Nobody passes that many. */
enum { MOST = 16 };
#define ALL(f)                                                                                                         \
    f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)
#define PARAMETER(i) long argument##i
#define ARGUMENT(i) argument##i
#define GIVEN(i) given[i]

/* What a context begins with, so that its end is noticed. */
static void run(void (*function)(ALL(PARAMETER)), const ucontext_t *link, ALL(PARAMETER)) {
    function(ALL(ARGUMENT));
    __faultline_context_over(link ? stack_of(link) : 0);
}

void TWIN(makecontext)(ucontext_t *context, void (*function)(void), int count, ...) {
    if (count > MOST)
        abort();
    long given[MOST] = {0};
    va_list arguments;
    va_start(arguments, count);
    for (int i = 0; i < count; i++)
        given[i] = va_arg(arguments, long);
    va_end(arguments);
    __faultline_context_made(context->uc_stack.ss_sp, context->uc_stack.ss_size);
    makecontext(context, (void (*)(void))run, MOST + 2, function, context->uc_link, ALL(GIVEN));
}
