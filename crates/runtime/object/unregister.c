/* Linked into every instrumented shared library: tells its copy of the runtime that the library is about to be closed, after
 * all other destructors of the library. An executable is never closed. */

extern __attribute__((visibility("hidden"))) void __faultline_unregister(void);

/* Destructors run from the last to the first. */
__attribute__((used, section(".fini_array.0"))) static void (*const unregister_last)(void) = __faultline_unregister;
