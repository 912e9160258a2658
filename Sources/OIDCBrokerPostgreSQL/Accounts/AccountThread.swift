// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore
    import SingleUse

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// What a thread of a store of accounts does: it takes the transactions that wait, one after another, and runs each
    /// on its connection, which is made when it is needed and again after it ended. It is used on that thread only.
    final class AccountThread {
        /// The time in which a connection to one address of one host must be made, without what is asked of the server.
        static let connectTimeout = TimeAmount.seconds(1)
        /// The time in which a connection must be made to whatever host. It is less than that of a callback.
        static let longestConnect = TimeAmount.seconds(4)

        /// What became of a try.
        private enum Outcome {
            /// It was committed. The closure delivers the result.
            case committed(@Sendable () -> Void)
            /// The body refused.
            case refused(any Error)
            case failed(TransactionFailure)
        }

        private let line: OperationLine<AccountJob>
        private let waiting: WaitingTransactions
        private let connector: PostgreSQLConnector
        private let session: PostgreSQLSession
        private let refusals: RefusalLog
        /// Is called when a job of the list of accounts has ended.
        private let endList: @Sendable () -> Void
        private var connection: PostgreSQLConnection?

        init(
            _ line: OperationLine<AccountJob>, waiting: WaitingTransactions, connector: PostgreSQLConnector,
            session: PostgreSQLSession, refusals: RefusalLog, endList: @escaping @Sendable () -> Void
        ) {
            self.line = line
            self.waiting = waiting
            self.connector = connector
            self.session = session
            self.refusals = refusals
            self.endList = endList
        }

        /// Runs until the store is shut down.
        func run() {
            while true {
                switch line.next(within: nil) {
                case .take(let jobs):
                    for job in jobs {
                        waiting.subtract(job.kind)
                        run(job)
                        if job.kind == .list { endList() }
                    }
                case .wait: break
                case .end:
                    connection = nil
                    return
                }
            }
        }

        /// Tries a transaction until it is answered.
        private func run(_ job: AccountJob) {
            var tries = TransactionTries()
            var records = RecordLocks()
            var last = AccountStoreError.waitedTooLong
            while NIODeadline.now() < job.deadline {
                switch attempt(job, excluding: tries.exclusion, &records) {
                case .committed(let deliver): return deliver()
                case .refused(let error): return job.fail(error)
                case .failed(let failure):
                    guard let pause = tries.pause(after: failure.remedy) else { return job.fail(failure.error) }
                    last = failure.error
                    Self.sleep(pause)
                }
            }
            job.fail(last)
        }

        /// - Parameter records: The records that the try before was about, and then those of this one.
        private func attempt(
            _ job: AccountJob, excluding exclusion: WriteExclusion, _ records: inout RecordLocks
        ) -> Outcome {
            let connection: PostgreSQLConnection
            do throws(PostgreSQLStoreError) {
                connection = try open()
            } catch {
                refusals.record(error, at: NIODeadline.now())
                return .failed(TransactionFailure(AccountStoreError(error)))
            }
            let transaction = job.transaction(
                on: connection, excluding: exclusion, records: records, at: NIODeadline.now())
            defer {
                records = transaction.records
                if !connection.isUsable { self.connection = nil }
            }
            do {
                let deliver = try job.run(transaction)
                try transaction.commit()
                return .committed(deliver)
            } catch {
                transaction.rollBack()
                // What a body throws after a failure follows from it.
                guard let failure = transaction.failure else { return .refused(error) }
                if let cause = failure.cause, !cause.breaksConstraint {
                    refusals.record(cause, at: NIODeadline.now())
                }
                return .failed(failure)
            }
        }

        private func open() throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            if let connection, connection.isAlive { return connection }
            connection = nil
            let opened = try connector.open(
                session, within: Self.connectTimeout, before: NIODeadline.now() + Self.longestConnect)
            connection = opened
            return opened
        }

        private static func sleep(_ time: TimeAmount) {
            usleep(UInt32(clamping: time.nanoseconds / 1000))
        }
    }
#endif
