// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import SingleUse

    /// What a thread of a store does: it takes the operations that wait, and runs them as a batch on its connection,
    /// which is made when it is needed and again after it ended. It is used on that thread only.
    final class PostgreSQLThread {
        /// The time in which a connection to one address of one host must be made.
        static let connectTimeout = TimeAmount.milliseconds(250)
        /// The time in which a batch must be answered.
        static let batchTimeout = TimeAmount.milliseconds(400)
        /// The pause after a connection that could not be made. Without it, all threads of all replicas begin new processes
        /// of a server that has no time for those it has.
        static let pauses: ClosedRange<Int64> = 100...300
        /// The time between two sweeps.
        static let sweepInterval = TimeAmount.seconds(10)

        private let line: OperationLine<PostgreSQLOperation>
        private let connector: PostgreSQLConnector
        private let refusals: RefusalLog
        /// Whether it removes what has expired.
        private let sweeps: Bool
        private var connection: PostgreSQLConnection?
        private var nextSweep: NIODeadline
        /// Why the last connection could not be made, and when the next one may be.
        private var failure: (error: PostgreSQLStoreError, end: NIODeadline)?

        init(
            _ line: OperationLine<PostgreSQLOperation>, connector: PostgreSQLConnector, refusals: RefusalLog,
            sweeps: Bool
        ) {
            self.line = line
            self.connector = connector
            self.refusals = refusals
            self.sweeps = sweeps
            nextSweep = NIODeadline.now() + Self.sweepInterval
        }

        /// Runs until the store is shut down.
        func run() {
            while true {
                switch line.next(within: sweeps ? nextSweep - NIODeadline.now() : nil) {
                case .take(let operations): run(operations)
                case .wait: if sweeps { sweep() }
                case .end:
                    connection = nil
                    return
                }
            }
        }

        private func run(_ operations: [PostgreSQLOperation]) {
            let now = NIODeadline.now()
            // The caller must get an answer in less than a second.
            let late = operations.filter { now - $0.begin > PostgreSQLOperation.longestWait }
            PostgreSQLOperation.fail(late, .busy.with("it waited too long for a connection"))
            let batch = operations.filter { now - $0.begin <= PostgreSQLOperation.longestWait }
            guard let oldest = batch.map(\.begin).min() else { return }
            let end = oldest + PostgreSQLOperation.patience
            do throws(PostgreSQLStoreError) {
                let connection = try open(before: end)
                let answers = connection.run(
                    batch.map(\.question), before: min(NIODeadline.now() + Self.batchTimeout, end))
                if !connection.isUsable { self.connection = nil }
                for case .failure(let error) in answers { refusals.record(error, at: NIODeadline.now()) }
                PostgreSQLOperation.deliver(zip(batch, answers).map { (operation: $0, answer: $1) })
            } catch {
                refusals.record(error, at: NIODeadline.now())
                PostgreSQLOperation.fail(batch, error)
            }
        }

        private func open(before deadline: NIODeadline) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
            if let connection, connection.isAlive { return connection }
            connection = nil
            if let failure, NIODeadline.now() < failure.end { throw failure.error }
            do throws(PostgreSQLStoreError) {
                let opened = try connector.open(within: Self.connectTimeout, before: deadline)
                (connection, failure) = (opened, nil)
                return opened
            } catch {
                failure = (error, NIODeadline.now() + .milliseconds(Int64.random(in: Self.pauses)))
                throw error
            }
        }

        /// Removes expired rows while no operation waits. Without a connection it is left to other processes, or for
        /// later.
        private func sweep() {
            let now = NIODeadline.now()
            nextSweep = now + Self.sweepInterval
            guard let connection, connection.isAlive else {
                self.connection = nil
                return
            }
            let questions = [
                PostgreSQLQuestion(statement: .sweepClaims), PostgreSQLQuestion(statement: .sweepValues),
            ]
            let answers = connection.run(questions, before: now + Self.batchTimeout)
            if !connection.isUsable { self.connection = nil }
            // There may be more to remove.
            if answers.contains(where: { (try? $0.get().rows.count) == PostgreSQLStatement.sweptRows }) {
                nextSweep = now
            }
        }
    }
#endif
