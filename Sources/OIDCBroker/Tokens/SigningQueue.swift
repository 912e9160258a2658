// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerHTTP
import OpenIDRelyingParty
import Admission
package import Signing

/// The signatures that are waited for. ES256 signatures are made at once; RSA signatures by an executor, a bounded
/// number at a time.
package final class SigningQueue: Sendable {
    /// The maximum number of requests of one kind that wait for an RSA signature. On one processor, the last one waits
    /// for about half a second.
    package static let limit = 256

    /// The requests that have places of their own. A native credential may keep its place while the provider is asked
    /// for tokens, which must not delay redemptions.
    enum Kind {
        case redemption
        case nativeCredential
    }

    private let executor: any SigningExecutor
    private let redemptions: QueuePlaces<IPNetwork>
    private let nativeCredentials: QueuePlaces<IPNetwork>

    /// Creates a queue. The limit is another one in tests only.
    package init(executor: any SigningExecutor, limit: Int = SigningQueue.limit) {
        self.executor = executor
        redemptions = QueuePlaces(maximum: limit)
        nativeCredentials = QueuePlaces(maximum: limit)
    }

    /// Runs the steps of a request that end with a signature of a key.
    ///
    /// There is a place for the signature before the first step, so that neither a code nor a credential is used up for
    /// a response that cannot be signed.
    /// - Parameters:
    ///   - key: The key.
    ///   - kind: The kind of request.
    ///   - client: The address of the client, each of whose networks gets a share of the places; `nil` if it is not
    ///     known, or is a server that speaks for many users.
    ///   - steps: The steps.
    /// - Throws: A ``TokenError`` with the status 503 if too many requests wait for a signature.
    func reserve<Value: Sendable>(
        _ key: SigningKey, for kind: Kind, of client: IPAddress?, _ steps: () throws(TokenError) -> Eventual<Value>
    ) throws(TokenError) -> Eventual<Value> {
        guard key.isSlow else { return try steps() }
        let places =
            switch kind {
            case .redemption: redemptions
            case .nativeCredential: nativeCredentials
            }
        let networks = client?.countedNetworks.map { $0.network } ?? []
        guard let giveBack = places.take(for: networks) else { throw TokenError.unavailable }
        do throws(TokenError) {
            let result = try steps()
            guard case .future(let future) = result else {
                giveBack()
                return result
            }
            return .future(future.always { _ in giveBack() })
        } catch {
            giveBack()
            throw error
        }
    }

    /// Runs the work that signs with a key: an ES256 signature at once, an RSA signature by the executor.
    func sign<Value: Sendable>(
        with key: SigningKey, on eventLoop: any EventLoop, _ work: @escaping @Sendable () throws -> Value
    ) -> Eventual<Value> {
        key.isSlow ? .future(executor.run(on: eventLoop, work)) : Eventual(catching: work)
    }
}
