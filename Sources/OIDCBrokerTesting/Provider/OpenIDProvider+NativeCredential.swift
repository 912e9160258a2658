// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

extension OpenIDProvider {
    /// The credential that an app receives from the SDK of a provider on the device.
    public struct NativeCredential: Sendable, Hashable {
        /// The ID token, whose audience is the app's client ID.
        public let idToken: String
        /// The access token, whose hash is in the ID token as `at_hash`.
        public let accessToken: String
        /// The nonce that the app kept; `nil` if it used none.
        public let rawNonce: String?
    }

    /// An error for a client ID that is not registered.
    public struct UnknownClient: Error, Hashable, CustomStringConvertible {
        /// The client ID that is not registered.
        public let clientID: String

        public var description: String { "no client has the id '\(clientID)'" }
    }

    /// Signs a user in within an app, without any request to a server.
    ///
    /// - Parameters:
    ///   - clientID: The client ID of the app, which is one of the registered clients.
    ///   - rawNonce: The nonce that the app keeps. The ID token has its SHA-256 hash in lower-case hexadecimal. `nil`
    ///     if the app uses no nonce.
    ///   - person: The user who signs in.
    /// - Throws: ``UnknownClient``, or an error of signing.
    public func nativeCredential(
        clientID: String, rawNonce: String?, person: Person
    ) throws -> NativeCredential {
        let nonce = rawNonce.map { ProviderProfile(nonceForm: .sha256Hexadecimal).nonce(fromRaw: $0) }
        let (mint, accessToken) = try engine.update { state throws(UnknownClient) -> (IDTokenMint, String) in
            guard state.configuration.clients.contains(where: { $0.id.hasSameBytes(as: clientID) }) else {
                throw UnknownClient(clientID: clientID)
            }
            let now = state.now
            let grant = Grant(
                clientID: clientID, redirectURI: "", scopes: ["openid", "email", "profile"], nonce: nonce,
                codeChallenge: nil, person: person, authTime: now, tellsAuthTime: true, authenticationContext: nil)
            let accessToken = ProviderState.randomValue()
            state.accessTokens.insert(
                grant, for: accessToken, expiry: now + TokenMint.accessTokenLifetime, now: now)
            return (state.idTokenMint(grant, at: .tokenEndpoint, accessToken: accessToken), accessToken)
        }
        return NativeCredential(idToken: try mint.token(), accessToken: accessToken, rawNonce: rawNonce)
    }
}
