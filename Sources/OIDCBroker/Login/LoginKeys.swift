// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

/// The keys derived from one sealing key, each for one purpose (HKDF, RFC 5869).
package final class LoginKeys: Sendable {
    /// Names the key in what it sealed; 4 bytes, says nothing of the key.
    package let keyID: [UInt8]
    let state: SealingSecret
    let choice: SealingSecret
    private let verifierKey: Hash.AuthenticationKey
    private let nonceKey: Hash.AuthenticationKey

    /// Derives from 32 bytes.
    package init(sealingKey: [UInt8]) {
        keyID = KeyDerivation.derive(key: sealingKey, info: "oidc-broker key id v1", count: 4)
        state = SealingSecret(bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker state v1", count: 32))
        choice = SealingSecret(bytes: KeyDerivation.derive(key: sealingKey, info: "oidc-broker choice v1", count: 32))
        verifierKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker code verifier v1", count: 32))
        nonceKey = Hash.AuthenticationKey(
            KeyDerivation.derive(key: sealingKey, info: "oidc-broker nonce v1", count: 32))
    }

    /// The PKCE verifier of a login: without the browser's binding value nobody can form it.
    package func codeVerifier(loginID: [UInt8], binding: [UInt8]) -> CodeVerifier {
        CodeVerifier(bytes: verifierKey.code(for: loginID + binding))
    }

    /// The raw nonce of a login toward the provider.
    package func rawNonce(loginID: [UInt8], binding: [UInt8]) -> String {
        Base64URL.encode(nonceKey.code(for: loginID + binding))
    }
}
