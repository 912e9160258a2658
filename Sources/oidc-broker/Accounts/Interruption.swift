// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// SIGINT, SIGTERM and SIGHUP, while a command runs that ends by itself after a part of its work. The second one
    /// ends the process at once. Output without a reader does not end it.
    enum Interruption {
        fileprivate static let isAskedFor = Atomic(false)

        /// Runs a body, and notes meanwhile whether the process is to end.
        static func noting<Result>(_ body: () async throws -> Result) async rethrows -> Result {
            // It is made here, and not by the handler.
            isAskedFor.store(false, ordering: .relaxed)
            let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
            let former = numbers.map { signal($0, noteInterruption) }
            let output = signal(SIGPIPE, SIG_IGN)
            defer {
                for (number, handler) in zip(numbers, former) { signal(number, handler) }
                signal(SIGPIPE, output)
            }
            return try await body()
        }

        /// Whether a signal does nothing, as SIGHUP under `nohup`: then it goes on doing nothing.
        private static func isIgnored(_ number: Int32) -> Bool {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return false }
            #if canImport(Darwin)
                let handler = action.__sigaction_u.__sa_handler
            #else
                let handler = action.__sigaction_handler.sa_handler
            #endif
            return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        }

        /// Throws `CancellationError` if the process is to end.
        static func check() throws {
            if isAskedFor.load(ordering: .relaxed) { throw CancellationError() }
        }
    }

    private func noteInterruption(_ number: Int32) {
        signal(number, SIG_DFL)
        Interruption.isAskedFor.store(true, ordering: .relaxed)
    }
#endif
