// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// A statement with its parameters.
    struct PostgreSQLQuestion: Sendable, Hashable {
        let statement: PostgreSQLStatement
        /// The parameters in the binary format of their types.
        var parameters: [[UInt8]] = []
    }

    /// A question, and where its answer goes.
    struct PostgreSQLOperation: Sendable {
        /// The time after which an operation is not begun any more. With the time of a batch it is less than a second.
        static let longestWait = TimeAmount.milliseconds(500)
        /// The time after which every operation has ended.
        static let patience = TimeAmount.milliseconds(900)

        let question: PostgreSQLQuestion
        /// When it was asked for.
        let begin: NIODeadline
        /// The event loop of the answer.
        let eventLoop: any EventLoop
        /// Takes the answer, on the event loop.
        let deliver: @Sendable (Result<PostgreSQLRows, PostgreSQLStoreError>) -> Void

        init(
            _ question: PostgreSQLQuestion, begin: NIODeadline, on eventLoop: any EventLoop,
            deliver: @escaping @Sendable (Result<PostgreSQLRows, PostgreSQLStoreError>) -> Void
        ) {
            self.question = question
            self.begin = begin
            self.eventLoop = eventLoop
            self.deliver = deliver
        }

        /// Hands answers to their operations, all of an event loop at once.
        static func deliver(
            _ answers: [(operation: PostgreSQLOperation, answer: Result<PostgreSQLRows, PostgreSQLStoreError>)]
        ) {
            let groups = Dictionary(grouping: answers) { ObjectIdentifier($0.operation.eventLoop) }
            for group in groups.values {
                group.first?.operation.eventLoop.execute {
                    for (operation, answer) in group { operation.deliver(answer) }
                }
            }
        }

        /// Fails operations.
        static func fail(_ operations: [PostgreSQLOperation], _ error: PostgreSQLStoreError) {
            deliver(operations.map { (operation: $0, answer: .failure(error)) })
        }
    }

    extension OperationLine where Operation == PostgreSQLOperation {
        /// The line of a single-use store: at most 10,000 operations wait, and 256 are a batch.
        convenience init() {
            self.init(limit: 10_000, batch: 256)
        }

        /// Takes in an operation.
        /// - Returns: Why it is refused; `nil` if it is not.
        func refusal(enqueuing operation: PostgreSQLOperation) -> PostgreSQLStoreError? {
            switch enqueue(operation) {
            case .waits: nil
            case .full: PostgreSQLStoreError.busy.with("too many operations wait")
            case .closed: PostgreSQLStoreError.closed
            }
        }
    }
#endif
