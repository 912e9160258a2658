// SPDX-License-Identifier: Apache-2.0

#if Server
    import UnixSignals

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// SIGTERM and SIGINT: the first begins the drain, also one that comes while the process starts; a second one ends the
    /// process at once.
    struct EndingSignals: Sendable {
        private let signals: UnixSignalsSequence
        private let drain = ShutdownTrigger()

        /// Traps the signals. Without that, the kernel drops them where the process is the first one of a container.
        init() async { signals = await UnixSignalsSequence(trapping: .sigterm, .sigint) }

        /// Sets what begins the drain. It is called at once if a signal came before.
        func onFirst(_ action: @escaping @Sendable () async -> Void) async { await drain.set(action) }

        /// Waits for signals until the task is canceled.
        /// - Parameter willEnd: What is still done, briefly, before the process ends at once with status 1.
        func watch(willEnd: @Sendable () -> Void) async {
            var isDraining = false
            for await _ in signals {
                guard !isDraining else {
                    willEnd()
                    exit(1)
                }
                isDraining = true
                await drain.pull()
            }
        }
    }

    /// What begins the shutdown of a group of services that may be made later.
    private actor ShutdownTrigger {
        private var action: (@Sendable () async -> Void)?
        private var isPulled = false

        func set(_ action: @escaping @Sendable () async -> Void) async {
            self.action = action
            if isPulled { await action() }
        }

        func pull() async {
            isPulled = true
            await action?()
        }
    }
#endif
