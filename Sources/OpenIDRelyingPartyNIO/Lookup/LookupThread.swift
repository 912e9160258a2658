// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of the operating system for one lookup. It ends by itself. Nothing waits for it, not even for its start: on
/// a busy machine a thread begins late, and an event loop that waited would delay everything else.
enum LookupThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a closure on a new thread.
    /// - Returns: `false` if the operating system has no thread, and the closure is not run.
    static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Glibc)
            var thread: pthread_t = 0
        #else
            var thread: pthread_t?
        #endif
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, nil,
            {
                // On some systems the argument is an optional.
                let argument: UnsafeMutableRawPointer? = $0
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread { pthread_detach(thread) }
        #endif
        return true
    }
}
