// SPDX-License-Identifier: Apache-2.0

public import Accounts
import NIOCore

/// What an embedding server does with accounts itself, in place of webhooks.
public struct AccountHandlers: Sendable {
    /// Handles an event of an account, in place of the webhook of the configuration. An event is delivered if this returns
    /// within 5 s. If it throws or takes longer, the event comes again, so that the same one may come twice. The events of
    /// an account come in order, those of several accounts at the same time.
    public var event: (@Sendable (AccountEvent) async throws -> Void)?
    /// Decides about a new account before a sign-in makes it, in place of ``AccountsConfiguration/beforeCreate``. If it
    /// throws, or takes longer than 2 s, no account is made, and the app may try again. At most 64 wait for it at once.
    public var newAccount: (@Sendable (NewAccountQuestion) async throws -> NewAccountDecision)?

    /// Creates handlers; by default there are none.
    public init(
        event: (@Sendable (AccountEvent) async throws -> Void)? = nil,
        newAccount: (@Sendable (NewAccountQuestion) async throws -> NewAccountDecision)? = nil
    ) {
        self.event = event
        self.newAccount = newAccount
    }
}

/// The edge to the tasks of an embedding server.
enum HandlerTask {
    /// Runs a handler, and cancels it when the time is over.
    /// - Parameters:
    ///   - time: The time limit.
    ///   - eventLoop: The event loop of the future.
    ///   - error: The error when the time is over.
    ///   - body: The handler.
    static func run<Value: Sendable>(
        within time: TimeAmount, on eventLoop: any EventLoop, else error: any Error,
        _ body: @escaping @Sendable () async throws -> Value
    ) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self)
        let timer = eventLoop.scheduleTask(in: time) { promise.fail(error) }
        let task = Task {
            do {
                promise.succeed(try await body())
            } catch {
                promise.fail(error)
            }
        }
        return promise.futureResult.always { _ in
            timer.cancel()
            task.cancel()
        }
    }
}
