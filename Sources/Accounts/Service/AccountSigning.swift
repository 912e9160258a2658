// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// The threads that make RSA signatures, which take more than a millisecond.
public protocol AccountSigningExecutor: Sendable {
    /// Runs work soon, on a thread that may be busy for milliseconds.
    func execute(_ work: @escaping @Sendable () -> Void)
}

/// Signs on the threads of Swift concurrency.
public struct ConcurrentAccountSigningExecutor: AccountSigningExecutor {
    /// Creates an executor.
    public init() {}

    public func execute(_ work: @escaping @Sendable () -> Void) {
        Task.detached { work() }
    }
}

/// Makes ID tokens: at once with a P-256 key, on another thread with an RSA key.
final class AccountSigning: Sendable {
    /// The maximum number of requests of one kind that wait for an RSA signature: half a second's worth on one
    /// processor.
    static let limit = 256

    /// The requests that have places of their own. While the store cannot write, sign-ins keep their places, and
    /// sessions are refreshed, which mostly reads.
    enum Kind: Int, CaseIterable {
        case signIn
        case refresh
    }

    private let tokens: AccountTokens
    private let executor: any AccountSigningExecutor
    private let limit: Int
    private let waiting = Mutex([Int](repeating: 0, count: Kind.allCases.count))

    /// The limit is another one in tests only.
    init(tokens: AccountTokens, executor: any AccountSigningExecutor, limit: Int = AccountSigning.limit) {
        self.tokens = tokens
        self.executor = executor
        self.limit = limit
    }

    /// Runs the steps of a request that end with a signature.
    ///
    /// There is a place for the signature before the first step, so that neither a sign-in nor what it uses up is
    /// committed for tokens that cannot be made. The place is free again when the steps have ended, however they did.
    /// - Returns: What the steps return, or a failure with ``AccountStoreError`` of the code
    ///   ``AccountStoreError/Code/unavailable`` if too many requests wait for a signature.
    func reserve<Value: Sendable>(
        for kind: Kind, on eventLoop: any EventLoop, _ steps: () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        guard tokens.isSlow else { return steps() }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting[kind.rawValue] < limit else { return false }
            waiting[kind.rawValue] += 1
            return true
        }
        guard isAdmitted else {
            return eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "too many signatures wait"))
        }
        return steps().always { _ in self.release(kind) }
    }

    /// Makes the token of a session, in the place that ``reserve(for:on:_:)`` has for it.
    /// - Returns: The token, or a failure with ``AccountSigningError``.
    func sign(
        _ account: Account, _ identities: [AccountIdentity], _ session: AccountSession, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        let work: @Sendable () throws -> String = { [tokens] in
            do {
                return try tokens.sign(account, identities: identities, session: session, now: now)
            } catch {
                // Not as it is: of a token that a client sent, the same error says that its session is dead.
                throw AccountSigningError(error)
            }
        }
        guard tokens.isSlow else { return eventLoop.makeCompletedFuture(withResultOf: work) }
        let promise = eventLoop.makePromise(of: String.self)
        executor.execute { promise.completeWith(Result(catching: work)) }
        return promise.futureResult
    }

    private func release(_ kind: Kind) { waiting.withLock { $0[kind.rawValue] -= 1 } }
}
