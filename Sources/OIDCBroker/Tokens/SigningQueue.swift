// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import Synchronization

/// The signatures that are waited for. ES256 signatures are made at once; RSA signatures by an executor, a bounded
/// number at a time.
package final class SigningQueue: Sendable {
    /// The maximum number of requests that wait for an RSA signature. On one processor, the last one waits for about
    /// half a second.
    package static let limit = 256

    private let executor: any SigningExecutor
    private let limit: Int
    private let waiting = Mutex(0)

    /// Creates a queue. The limit is another one in tests only.
    package init(executor: any SigningExecutor, limit: Int = SigningQueue.limit) {
        self.executor = executor
        self.limit = limit
    }

    /// Runs the steps of a request that end with a signature of a key.
    ///
    /// There is a place for the signature before the first step, so that no code is used up for a response that cannot
    /// be signed.
    /// - Throws: A ``TokenError`` with the status 503 if too many requests wait for a signature.
    func reserve<Value: Sendable>(
        _ key: SigningKey, _ steps: () throws(TokenError) -> EventLoopFuture<Value>
    ) throws(TokenError) -> EventLoopFuture<Value> {
        guard Self.isSlow(key) else { return try steps() }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < limit else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else {
            throw TokenError("temporarily_unavailable", "The broker is not available.", status: .serviceUnavailable)
        }
        do throws(TokenError) {
            return try steps().always { _ in self.release() }
        } catch {
            release()
            throw error
        }
    }

    /// Runs the work that signs with a key: an ES256 signature at once, an RSA signature by the executor.
    func sign<Value: Sendable>(
        with key: SigningKey, on eventLoop: any EventLoop, _ work: @escaping @Sendable () throws -> Value
    ) -> EventLoopFuture<Value> {
        guard Self.isSlow(key) else { return eventLoop.makeCompletedFuture(withResultOf: work) }
        let promise = eventLoop.makePromise(of: Value.self)
        executor.execute { promise.completeWith(Result(catching: work)) }
        return promise.futureResult
    }

    private static func isSlow(_ key: SigningKey) -> Bool { key.algorithm != .es256 }

    private func release() { waiting.withLock { $0 -= 1 } }
}
