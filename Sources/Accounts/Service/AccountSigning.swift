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
    public init() {}

    public func execute(_ work: @escaping @Sendable () -> Void) {
        Task.detached { work() }
    }
}

/// Makes ID tokens: at once with a P-256 key, on another thread with an RSA key.
final class AccountSigning: Sendable {
    /// The maximum number of RSA signatures that wait: half a second's worth on one processor.
    static let waitingLimit = 256

    private let tokens: AccountTokens
    private let executor: any AccountSigningExecutor
    private let waiting = Atomic(0)

    init(tokens: AccountTokens, executor: any AccountSigningExecutor) {
        self.tokens = tokens
        self.executor = executor
    }

    func sign(
        _ account: Account, _ identities: [AccountIdentity], _ session: AccountSession, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        guard tokens.isSlow else {
            return eventLoop.makeCompletedFuture {
                try tokens.sign(account, identities: identities, session: session, now: now)
            }
        }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingLimit else {
            waiting.subtract(1, ordering: .relaxed)
            return eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "too many signatures wait"))
        }
        let promise = eventLoop.makePromise(of: String.self)
        executor.execute { [self] in
            defer { waiting.subtract(1, ordering: .relaxed) }
            promise.completeWith(
                Result { try tokens.sign(account, identities: identities, session: session, now: now) })
        }
        return promise.futureResult
    }
}
