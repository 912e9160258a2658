// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TestingSupport

/// A recorder of the audit, for which one test can wait.
final class AuditRecorder: Sendable {
    /// One event.
    struct Event: Sendable, Hashable {
        let kind: String
        let outcome: String?
        let client: String?
    }

    /// An event that did not come before the recorder went.
    struct Missing: Error {
        let kind: String
    }

    private let recorded = Mutex<[Event]>([])
    private let kinds: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (kinds, continuation) = AsyncStream.makeStream(of: String.self)
    }

    /// All of them, in their order.
    var events: [Event] { recorded.withLock { $0 } }

    /// A logger whose lines are recorded here.
    var logger: Logger {
        .recording("auth.audit") { [self] event in
            let line = Event(
                kind: event.message.description, outcome: event.metadata?["auth.outcome"].map { "\($0)" },
                client: event.metadata?["auth.client"].map { "\($0)" })
            recorded.withLock { $0.append(line) }
            continuation.yield(line.kind)
        }
    }

    /// Waits for the next event of a kind. Events before it are not waited for again.
    func wait(for kind: String) async throws {
        for await next in kinds where next == kind { return }
        throw Missing(kind: kind)
    }
}
