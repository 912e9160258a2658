// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#endif

/// The caches in which glibc's allocator keeps freed memory for each thread.
///
/// A turn of an event loop serves many connections, and takes and gives back more pieces of memory of a size than the 7
/// that glibc keeps by default; the rest goes through its slower lists. glibc reads the number from the environment when a
/// program starts, so the server sets it and starts itself anew, in the same process. `Benchmarks/NOTES.md` has the figures.
enum AllocatorCache {
    /// The name of the environment variable.
    static let variable = "GLIBC_TUNABLES"
    /// The number of pieces of each size, of at most 1 KB each: at worst 7 MB for each thread.
    static let tunables = "glibc.malloc.tcache_count=200"

    /// Starts the program anew with larger caches, unless the environment has tunables already, those of the operator or of
    /// an earlier call. Where that is not possible, it returns, and the program runs as it is.
    static func enlarge() {
        #if canImport(Glibc)
            guard getenv(variable) == nil, setenv(variable, tunables, 0) == 0 else { return }
            _ = execv("/proc/self/exe", CommandLine.unsafeArgv)
            unsetenv(variable)
        #endif
    }
}
