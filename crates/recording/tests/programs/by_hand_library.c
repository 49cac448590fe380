/* A shared library that is loaded and unloaded while the program runs. It has a copy of the runtime, as those made by
 * faultline-cc have; the program's is used. */

#define MODULE_ID "library by hand!"
#include "by_hand.h"

void library_work(uint64_t count) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)library_work, saved);
    for (uint64_t i = 0; i < count; i++)
        step(slot, i);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(library_work, 50);
