// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import NIOCore
    import Synchronization

    /// When an import leaves the database to a server. One on SQLite tries to lock the file now and then: between two batches
    /// that follow each other at once it would find no moment.
    final class ServerTurns: Sendable {
        /// How long an import goes on before it pauses.
        static let period = TimeAmount.milliseconds(100)
        /// How long it pauses: longer than a server waits between two tries.
        static let pause = TimeAmount.milliseconds(5)

        private let next: Mutex<NIODeadline>

        /// - Parameter now: The time at which the import begins.
        init(now: NIODeadline) { next = Mutex(now + Self.period) }

        /// Whether the import pauses before the batch that would begin now.
        func isDue(at now: NIODeadline) -> Bool {
            next.withLock { next in
                guard now >= next else { return false }
                next = now + Self.pause + Self.period
                return true
            }
        }

        /// Pauses if it is time.
        func pauseIfDue() async throws {
            guard isDue(at: .now()) else { return }
            try await Task.sleep(for: Duration(Self.pause))
        }
    }
#endif
