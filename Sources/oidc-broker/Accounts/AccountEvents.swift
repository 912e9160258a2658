// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser
    import JOSE

    struct AccountEvents: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "events",
            abstract: "List the account events that wait or were given up, the oldest first, one on each line.",
            discussion: """
                A line has the identifier, the type, the account, the destination, the state, when it happened, when it is \
                sent next, how often it was sent, and why it was not delivered.

                Example: oidc-broker accounts events --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase

        @Option(help: "The maximum number of events, 1 to 100,000.")
        var limit = 1000

        func validate() throws {
            guard (1...100_000).contains(limit) else { throw ValidationError("--limit expects 1 to 100000") }
        }

        func run() async throws {
            let limit = limit
            let events = try await database.run(.list) { transaction in
                try transaction.outbox?.events(after: 0, limit: limit) ?? []
            }
            for event in events {
                database.output(Self.line(event), Self.json(event))
            }
        }

        static func line(_ event: QueuedEvent) -> String {
            [
                event.event.id, event.event.type, event.event.account.description, event.destination, state(event),
                UTCTime.text(event.event.time), event.givenUpAt == nil ? UTCTime.text(event.dueAt) : "-",
                String(event.attempts), event.detail ?? "-",
            ].joined(separator: "\t")
        }

        private static func json(_ event: QueuedEvent) -> JSONObject {
            [
                "id": .string(event.event.id), "type": .string(event.event.type),
                "uid": .string(event.event.account.text), "destination": .string(event.destination),
                "state": .string(state(event)), "time": .string(UTCTime.text(event.event.time)),
                "due": event.givenUpAt == nil ? .string(UTCTime.text(event.dueAt)) : .null,
                "attempts": .number(JSONNumber(event.attempts)), "detail": event.detail.map { .string($0) } ?? .null,
            ]
        }

        private static func state(_ event: QueuedEvent) -> String { event.givenUpAt == nil ? "waiting" : "given-up" }
    }
#endif
