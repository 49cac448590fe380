/* Memory that the program maps. The runtime is told, since it keeps memory of its own beside the program's. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define TWIN(name) __attribute__((weak)) HIDDEN __faultline_twin_##name

/* Of the runtime. Each gives 0 when the program must do without. */
HIDDEN int __faultline_before_mapping(const void *start, size_t length);
HIDDEN int __faultline_mapped(const void *start, size_t length);

static void *refuse(void) {
    errno = ENOMEM;
    return MAP_FAILED;
}

void *TWIN(mmap)(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    if (address && !__faultline_before_mapping(address, length))
        return refuse();
    void *result = mmap(address, length, protection, flags, file, offset);
    if (result != MAP_FAILED && !__faultline_mapped(result, length)) {
        munmap(result, length);
        return refuse();
    }
    return result;
}

void *TWIN(mmap64)(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    return __faultline_twin_mmap(address, length, protection, flags, file, offset);
}

void *TWIN(mremap)(void *old, size_t old_length, size_t length, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    void *address = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    if (address && !__faultline_before_mapping(address, length))
        return refuse();
    void *result = mremap(old, old_length, length, flags, address);
    /* What was there before is gone; to refuse now would lose it. */
    if (result != MAP_FAILED)
        __faultline_mapped(result, length);
    return result;
}
