// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

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
    var logger: Logger { Logger(label: "auth.audit") { _ in Handler(recorder: self) } }

    /// Waits for the next event of a kind. Events before it are not waited for again.
    func wait(for kind: String) async throws {
        for await next in kinds where next == kind { return }
        throw Missing(kind: kind)
    }

    private struct Handler: LogHandler {
        let recorder: AuditRecorder
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        init(recorder: AuditRecorder) { self.recorder = recorder }

        func log(event: LogEvent) {
            let recorded = Event(
                kind: event.message.description, outcome: event.metadata?["auth.outcome"].map { "\($0)" },
                client: event.metadata?["auth.client"].map { "\($0)" })
            recorder.recorded.withLock { $0.append(recorded) }
            recorder.continuation.yield(recorded.kind)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
