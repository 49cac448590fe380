/* Linked into every instrumented executable and shared library: tells the object's copy of the runtime where the object's
 * descriptors are, before any other constructor of the object runs. */

#define HIDDEN __attribute__((visibility("hidden")))
#define TABLE extern HIDDEN const char __attribute__((weak))

TABLE __start_faultline_modules[];
TABLE __stop_faultline_modules[];
TABLE __start_faultline_functions[];
TABLE __stop_faultline_functions[];

extern HIDDEN void __faultline_register(const void *modules, const void *modules_end, const void *functions,
                                        const void *functions_end);

static void register_object(void) {
    if (__start_faultline_modules != 0)
        __faultline_register(__start_faultline_modules, __stop_faultline_modules, __start_faultline_functions,
                             __stop_faultline_functions);
}

/* The lowest number runs first; attribute constructor would refuse the priorities below 101. */
__attribute__((used, section(".init_array.0"))) static void (*const register_first)(void) = register_object;
