// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A closure that handles the sign-ins of an app of kind `in-process`. It gets the verified sign-in, and returns the response
/// to the browser, with the server's own session cookie.
///
/// A handler has 5 seconds. If it takes longer or fails, the user sees a page and can start again.
public struct SignInHandler: Sendable {
    /// The time limit.
    static let timeout = TimeAmount.seconds(5)

    let respond: @Sendable (CompletedSignIn, any EventLoop) -> EventLoopFuture<SignInResponse>

    /// Creates a handler that responds at once. The closure runs on the connection's event loop, and must not block.
    public init(_ respond: @escaping @Sendable (CompletedSignIn) throws -> SignInResponse) {
        self.respond = { signIn, eventLoop in
            eventLoop.makeCompletedFuture { try respond(signIn) }
        }
    }

    private init(
        future respond: @escaping @Sendable (CompletedSignIn, any EventLoop) -> EventLoopFuture<SignInResponse>
    ) {
        self.respond = respond
    }

    /// Returns a handler with a future. The closure runs on the connection's event loop, and its future must be of that loop.
    public static func future(
        _ respond: @escaping @Sendable (CompletedSignIn, any EventLoop) -> EventLoopFuture<SignInResponse>
    ) -> SignInHandler {
        SignInHandler(future: respond)
    }

    /// Returns a handler that awaits its response. The task is canceled after the time limit.
    public static func async(
        _ respond: @escaping @Sendable (CompletedSignIn) async throws -> SignInResponse
    ) -> SignInHandler {
        SignInHandler(future: { signIn, eventLoop in
            let promise = eventLoop.makePromise(of: SignInResponse.self)
            let task = Task {
                do {
                    promise.succeed(try await respond(signIn))
                } catch {
                    promise.fail(error)
                }
            }
            let deadline = eventLoop.scheduleTask(in: timeout) { task.cancel() }
            promise.futureResult.whenComplete { _ in deadline.cancel() }
            return promise.futureResult
        })
    }
}
