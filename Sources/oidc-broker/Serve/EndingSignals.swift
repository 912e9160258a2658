// SPDX-License-Identifier: Apache-2.0

#if Server
    import ServiceLifecycle
    import UnixSignals

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// SIGTERM and SIGINT: the first begins the drain, a second one ends the process at once with status 1.
    ///
    /// It is a service. List it first, so that it ends last.
    struct EndingSignals: Service {
        private let signals: UnixSignalsSequence
        private let drain: @Sendable () async -> Void
        private let endAtOnce: @Sendable () -> Never

        /// Traps the signals.
        /// - Parameters:
        ///   - drain: Begins the drain.
        ///   - endAtOnce: Ends the process.
        init(
            drain: @escaping @Sendable () async -> Void, endAtOnce: @escaping @Sendable () -> Never = { exit(1) }
        ) async {
            signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
            self.drain = drain
            self.endAtOnce = endAtOnce
        }

        func run() async {
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    var isDraining = false
                    for await _ in signals {
                        guard !isDraining else { endAtOnce() }
                        isDraining = true
                        await drain()
                    }
                }
                try? await gracefulShutdown()
                tasks.cancelAll()
            }
        }
    }
#endif
