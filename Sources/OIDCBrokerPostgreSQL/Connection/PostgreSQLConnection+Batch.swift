// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ
    import NIOCore

    /// The pipeline: all statements of a batch are sent before the first answer is waited for. A synchronization
    /// follows each of them, or each group of them, so that the error of one does not concern the next one.
    extension PostgreSQLConnection {
        /// An answer, or why there is none.
        typealias Answer = Result<PostgreSQLRows, PostgreSQLStoreError>

        /// Begins the pipeline, and prepares the statements of a store.
        func prepare(
            _ statements: [any PreparedStatement], before deadline: NIODeadline
        ) throws(PostgreSQLStoreError) {
            guard PQenterPipelineMode(handle) == 1 else { throw PostgreSQLStoreError.closed }
            for statement in statements {
                let types: [Oid] = statement.parameters.map(\.rawValue)
                let sent = PQsendPrepare(handle, statement.name, statement.sql, Int32(types.count), types)
                guard sent == 1 else { throw PostgreSQLStoreError.closed }
            }
            guard PQpipelineSync(handle) == 1 else { throw PostgreSQLStoreError.closed }
            _ = try nextAnswer(before: deadline).get()
        }

        /// Asks questions.
        /// - Returns: The answers, in the order of the questions. If the connection ends, or the deadline comes, it is
        ///   of no use any more, and the questions without an answer fail.
        func run(_ questions: [PostgreSQLQuestion], before deadline: NIODeadline) -> [Answer] {
            exchange(questions.count, before: deadline) { () throws(PostgreSQLStoreError) in
                for question in questions {
                    try send(question.statement, question.parameters)
                    try synchronize()
                }
            }
        }

        /// Runs groups of statements of accounts. Within a group each is begun only if the one before succeeded; a group
        /// is begun whatever became of the one before. All of them are sent at once, so that the server goes on to the
        /// last one by itself, also if this process is stopped or cut off meanwhile. It blocks until the deadline at most.
        /// - Parameter groups: The groups. None is empty.
        /// - Returns: For each group the first error, or the last rows. If the connection ends, or the deadline comes, it
        ///   is of no use any more, and the groups without an answer fail.
        func runEach(_ groups: [[AccountQuestion]], before deadline: NIODeadline) -> [Answer] {
            exchange(groups.count, before: deadline) { () throws(PostgreSQLStoreError) in
                for group in groups {
                    for question in group { try send(question.statement, question.parameters) }
                    try synchronize()
                }
            }
        }

        /// Sends something, and waits for the answers to it, one for each synchronization.
        private func exchange(
            _ count: Int, before deadline: NIODeadline, sending: () throws(PostgreSQLStoreError) -> Void
        ) -> [Answer] {
            var answers: [Answer] = []
            answers.reserveCapacity(count)
            do throws(PostgreSQLStoreError) {
                try sending()
                while answers.count < count {
                    let answer = try nextAnswer(before: deadline)
                    if case .failure(let error) = answer, error.endsConnection { isUsable = false }
                    answers.append(answer)
                }
            } catch {
                isUsable = false
                while answers.count < count { answers.append(.failure(error)) }
            }
            return answers
        }

        /// Queues a statement. It does not block.
        /// - Parameter parameters: The parameters in the binary format of their types; `nil` is NULL.
        func send(_ statement: some PreparedStatement, _ parameters: [[UInt8]?]) throws(PostgreSQLStoreError) {
            // A value without bytes needs an address, too: without one it would be NULL.
            let bytes = [UInt8](parameters.lazy.compactMap { $0 }.joined()) + [0]
            let lengths = parameters.map { Int32(clamping: $0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: parameters.count)
            let sent = bytes.withUnsafeBytes { bytes in
                var values: [UnsafePointer<CChar>?] = []
                var offset = 0
                for parameter in parameters {
                    guard let parameter else {
                        values.append(nil)
                        continue
                    }
                    values.append(bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
                    offset += parameter.count
                }
                return PQsendQueryPrepared(
                    handle, statement.name, Int32(parameters.count), values, lengths, formats, 1)
            }
            guard sent == 1 else { throw PostgreSQLStoreError.closed }
        }

        /// Queues a synchronization. It does not block.
        func synchronize() throws(PostgreSQLStoreError) {
            guard PQpipelineSync(handle) == 1 else { throw PostgreSQLStoreError.closed }
        }

        /// Waits for everything up to the next synchronization.
        ///
        /// The warnings of a commit come after the rows and before the synchronization. libpq reads no answer of the
        /// next statement before the synchronization was taken from it, so a warning belongs to this one.
        /// - Returns: The first error, or the last rows.
        func nextAnswer(before deadline: NIODeadline) throws(PostgreSQLStoreError) -> Answer {
            var answer: Answer?
            var isPause = false
            while true {
                try awaitResult(before: deadline)
                guard let result = PQgetResult(handle) else {
                    // There is a pause after each statement, and two in a row are the end.
                    guard !isPause, PQstatus(handle) == CONNECTION_OK else { throw PostgreSQLStoreError.closed }
                    isPause = true
                    continue
                }
                defer { PQclear(result) }
                isPause = false
                let next: Answer
                switch PQresultStatus(result) {
                case PGRES_PIPELINE_SYNC:
                    guard let answer else { throw PostgreSQLStoreError.unexpectedAnswer }
                    let isWarned = notices.takeWarning()
                    return isWarned ? .failure(.notDurable.with("the wait for a standby was canceled")) : answer
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK: next = .success(PostgreSQLResult.rows(of: result))
                case PGRES_PIPELINE_ABORTED: next = .failure(.unexpectedAnswer)
                default: next = .failure(PostgreSQLResult.error(of: result))
                }
                if case .failure? = answer { continue }
                answer = next
            }
        }
    }
#endif
