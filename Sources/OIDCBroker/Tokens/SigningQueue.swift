// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OpenIDRelyingParty
import Synchronization

/// The signatures that are waited for. ES256 signatures are made at once; RSA signatures by an executor, a bounded
/// number at a time.
package final class SigningQueue: Sendable {
    /// The maximum number of requests of one kind that wait for an RSA signature. On one processor, the last one waits
    /// for about half a second.
    package static let limit = 256

    /// The requests that have places of their own. A native credential may keep its place while the provider is asked
    /// for tokens, which must not delay redemptions.
    enum Kind: Int, CaseIterable {
        case redemption
        case nativeCredential
    }

    private let executor: any SigningExecutor
    private let limit: Int
    private let waiting = Mutex([Int](repeating: 0, count: Kind.allCases.count))

    /// Creates a queue. The limit is another one in tests only.
    package init(executor: any SigningExecutor, limit: Int = SigningQueue.limit) {
        self.executor = executor
        self.limit = limit
    }

    /// Runs the steps of a request that end with a signature of a key.
    ///
    /// There is a place for the signature before the first step, so that neither a code nor a credential is used up for
    /// a response that cannot be signed.
    /// - Throws: A ``TokenError`` with the status 503 if too many requests wait for a signature.
    func reserve<Value: Sendable>(
        _ key: SigningKey, for kind: Kind, _ steps: () throws(TokenError) -> Eventual<Value>
    ) throws(TokenError) -> Eventual<Value> {
        guard Self.isSlow(key) else { return try steps() }
        let isAdmitted = waiting.withLock { waiting in
            guard waiting[kind.rawValue] < limit else { return false }
            waiting[kind.rawValue] += 1
            return true
        }
        guard isAdmitted else {
            throw TokenError.unavailable
        }
        do throws(TokenError) {
            let result = try steps()
            guard case .future(let future) = result else {
                release(kind)
                return result
            }
            return .future(future.always { _ in self.release(kind) })
        } catch {
            release(kind)
            throw error
        }
    }

    /// Runs the work that signs with a key: an ES256 signature at once, an RSA signature by the executor.
    func sign<Value: Sendable>(
        with key: SigningKey, on eventLoop: any EventLoop, _ work: @escaping @Sendable () throws -> Value
    ) -> Eventual<Value> {
        guard Self.isSlow(key) else { return Eventual(catching: work) }
        let promise = eventLoop.makePromise(of: Value.self)
        executor.execute { promise.completeWith(Result(catching: work)) }
        return .future(promise.futureResult)
    }

    private static func isSlow(_ key: SigningKey) -> Bool { key.algorithm != .es256 }

    private func release(_ kind: Kind) { waiting.withLock { $0[kind.rawValue] -= 1 } }
}
