// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The signals with which the system answers a write: a pipe has no reader, or a file may not grow. They would end the
/// process. A write on a thread that blocks them fails with an error instead.
///
/// How the process as a whole handles signals is not changed, since that belongs to the program that embeds the broker.
enum BlockedSignals {
    /// Blocks them on this thread.
    static func block() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
