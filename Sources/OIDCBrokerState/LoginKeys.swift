// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect

/// The keys derived from a sealing key, each for one purpose (HKDF, RFC 5869).
package final class LoginKeys: Sendable {
    /// The identifier of the key in the texts that it sealed, 4 bytes that reveal nothing about the key.
    package let keyID: [UInt8]
    /// Seals the state of a login.
    package let state: SealingSecret
    /// Seals the form of the page on which a user chooses a provider.
    package let choice: SealingSecret
    /// Seals access tokens.
    package let accessToken: SealingSecret
    /// Seals the form of the page on which a user confirms a logout.
    package let logout: SealingSecret
    /// Seals the cookies that keep ID tokens of providers for the sign-out.
    package let signOut: SealingSecret
    private let verifierKey: Hash.AuthenticationKey
    private let nonceKey: Hash.AuthenticationKey
    private let dpopKey: Hash.AuthenticationKey
    /// The key from which the places and seals of unverified names are derived.
    package let nameKey: Hash.AuthenticationKey

    /// Derives the keys from 32 bytes.
    package init(sealingKey: [UInt8]) {
        keyID = KeyDerivation.derive(key: sealingKey, info: "oidc-broker key id v1", count: 4)
        state = SealingSecret(bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker state v1", count: 32))
        choice = SealingSecret(bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker choice v1", count: 32))
        accessToken = SealingSecret(
            bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker access token v1", count: 32))
        logout = SealingSecret(bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker logout v1", count: 32))
        signOut = SealingSecret(
            bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker sign-out v1", count: 32))
        verifierKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker code verifier v1", count: 32))
        nonceKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker nonce v1", count: 32))
        dpopKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker dpop v1", count: 32))
        nameKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker unverified name v1", count: 32))
    }

    /// Returns the PKCE verifier of a login, which requires the binding value in the browser's cookie.
    package func codeVerifier(loginID: [UInt8], binding: [UInt8]) -> CodeVerifier {
        CodeVerifier(bytes: verifierKey.code(for: loginID + binding))
    }

    /// Returns the nonce of a login in its request to the provider.
    package func rawNonce(loginID: [UInt8], binding: [UInt8]) -> String {
        Base64URL.encode(nonceKey.code(for: loginID + binding))
    }

    /// Returns the DPoP key of a login (RFC 9449), which no other login has and which every replica derives again.
    /// - Throws: `SigningKeyError`, in practice never.
    package func dpopKey(loginID: [UInt8], binding: [UInt8]) throws -> DPoPKey {
        try DPoPKey { counter in dpopKey.code(for: loginID + binding + [counter]) }
    }
}
