// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    public import Logging
    public import NIOCore
    import NIOPosix
    public import SingleUse

    /// A single-use store in one PostgreSQL server, version 14 or later, which several replicas of the broker share.
    ///
    /// It has threads of its own, each with one connection, which is opened by the first operation and reopened after
    /// it ended. Operations that wait while a thread is busy are its next batch. The tables are those of
    /// ``PostgreSQLSchema``, which has to be made before. A server that is a standby, or acknowledges a commit before
    /// it is on the disk, is refused, and every operation fails.
    ///
    /// Owners are ignored. Call ``shutdown()`` when the store is no longer used.
    public final class PostgreSQLSingleUseStore: SingleUseEngine {
        private let line = OperationLine<PostgreSQLOperation>()
        private let threads: NIOThreadPool
        /// The engine, as `auth.store.kind` names it.
        package static let kind = "postgresql"
        /// The time of the server.
        package let serverTime = ServerTime()

        /// Creates a store. It connects with the first operation.
        /// - Parameters:
        ///   - configuration: The server, and the number of connections.
        ///   - logger: Where a server that cannot be used is logged, at most once a minute.
        public init(_ configuration: PostgreSQLConfiguration, logger: Logger) {
            threads = NIOThreadPool(numberOfThreads: configuration.threads)
            threads.start()
            let connector = PostgreSQLConnector(configuration.connection, serverTime: serverTime)
            let refusals = RefusalLog(logger)
            for number in 0..<configuration.threads {
                threads.submit { [line] state in
                    // The store was shut down before the thread began.
                    guard state == .active else { return }
                    PostgreSQLThread(line, connector: connector, refusals: refusals, sweeps: number == 0).run()
                }
            }
        }

        deinit {
            PostgreSQLOperation.fail(line.close(), .closed)
            threads.shutdownGracefully { _ in }
        }

        /// Closes all connections. Operations that wait fail, and so does every later one. Batches under way end first.
        ///
        /// Call it before the event loops are shut down.
        public func shutdown() async {
            PostgreSQLOperation.fail(line.close(), .closed)
            // It fails only for a pool that cannot be shut down.
            try? await threads.shutdownGracefully()
        }

        /// Claims a key.
        public func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseClaim> {
            let question = PostgreSQLQuestion.claim(key, attempt: attempt, lifetime: lifetime)
            return ask(question, on: eventLoop) { answer in try PostgreSQLAnswers.claim(answer) }
                .flatMap { claim in
                    if let claim { return eventLoop.makeSucceededFuture(claim) }
                    return self.ask(.claimant(of: key, attempt: attempt), on: eventLoop) { answer in
                        try PostgreSQLAnswers.claim(ofClaimant: answer)
                    }
                }
        }

        /// Stores a value.
        public func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUsePut> {
            guard value.count <= SingleUseKey.longestValue else { return eventLoop.makeSucceededFuture(.full) }
            return ask(.put(key, value: value, lifetime: lifetime), on: eventLoop) { answer in
                try PostgreSQLAnswers.put(answer)
            }
        }

        /// Claims a key and returns its value, in one step.
        public func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseTake> {
            let question = PostgreSQLQuestion.take(key, attempt: attempt, claimLifetime: claimLifetime)
            return ask(question, on: eventLoop) { [line] answer in
                let take = try PostgreSQLAnswers.take(answer)
                if take.value != nil {
                    // No caller waits for it: what is not removed expires, and the claim keeps other attempts from it.
                    _ = line.refusal(
                        enqueuing:
                            PostgreSQLOperation(.removeTaken(key), begin: NIODeadline.now(), on: eventLoop) { _ in })
                }
                return take
            }
        }

        /// Returns a value without claiming its key.
        public func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
            ask(.read(key), on: eventLoop) { answer in try PostgreSQLAnswers.read(answer) }
        }

        /// Removes a value if it is the given one.
        public func remove(
            _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
        ) -> EventLoopFuture<Void> {
            ask(.remove(key, ifEqual: value), on: eventLoop) { answer in try PostgreSQLAnswers.remove(answer) }
        }

        /// Returns whether a key is claimed.
        public func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
            ask(.isClaimed(key), on: eventLoop) { answer in try PostgreSQLAnswers.isClaimed(answer) }
        }

        /// Queues a question, and reads its answer on the event loop.
        private func ask<Value: Sendable>(
            _ question: PostgreSQLQuestion, on eventLoop: any EventLoop,
            _ read: @escaping @Sendable (PostgreSQLAnswers.Answer) throws -> Value
        ) -> EventLoopFuture<Value> {
            let promise = eventLoop.makePromise(of: Value.self)
            let operation = PostgreSQLOperation(question, begin: NIODeadline.now(), on: eventLoop) { answer in
                do {
                    promise.succeed(try read(answer))
                } catch {
                    promise.fail(error)
                }
            }
            if let refusal = line.refusal(enqueuing: operation) { promise.fail(refusal) }
            return promise.futureResult
        }
    }
#endif
