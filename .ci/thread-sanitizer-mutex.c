// SPDX-License-Identifier: Apache-2.0
//
// On Linux, `Mutex` of Swift's standard library is locked where it is used as long as there is no waiter, which the thread
// sanitizer sees, and in libswiftSynchronization otherwise, which was not compiled with it: it would take what two threads
// did one after the other, because one waited, for a race. The functions for those who wait are defined here too, where
// the linker finds them first. They tell the sanitizer, and call those of the library.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void lock_function(uint32_t own_id, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);

lock_function lock_slow __asm__(LOCK_SLOW);
unlock_function unlock_slow __asm__(UNLOCK_SLOW);

static void *of_the_library(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    return function;
}

__attribute__((swiftcall)) void lock_slow(uint32_t own_id, __attribute__((swift_context)) void *mutex) {
    ((lock_function *)of_the_library(LOCK_SLOW))(own_id, mutex);
    __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
    __tsan_release(mutex);
    ((unlock_function *)of_the_library(UNLOCK_SLOW))(mutex);
}

// The sanitizer of LLVM 17 names this size, and has none where the C library has no `struct termio` any more, as of glibc
// 2.42. A sanitizer that has it is stronger than this.
__attribute__((weak)) unsigned size_of_struct_termio __asm__("_ZN11__sanitizer16struct_termio_szE") = 18;
