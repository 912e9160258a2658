// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDRelyingParty

/// The public keys of an app that authenticates by `private_key_jwt`.
enum AppKeys: Sendable {
    /// The keys of the configuration.
    case fixed(KeySet)
    /// The keys at the app's `jwks-uri`.
    case remote(RemoteKeySet)

    /// The algorithms of assertions. None is symmetric.
    static let algorithms = JSONWebAlgorithm.asymmetric

    /// Verifies the signature of an assertion. The error is a `JSONWebSignatureError` if it is refused, and a
    /// `RelyingPartyError` if the keys cannot be fetched.
    func verified(_ signature: JSONWebSignature, on eventLoop: any EventLoop) -> Eventual<VerifiedPayload> {
        switch self {
        case .fixed(let keys):
            do {
                return .value(try signature.verified(by: keys, algorithms: Self.algorithms))
            } catch {
                return .failure(error)
            }
        case .remote(let keys): return keys.verified(signature, algorithms: Self.algorithms, on: eventLoop)
        }
    }
}
