// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OIDCBrokerHTTP
import OpenIDConnect

/// The encryption of login state into text that travels through the provider, and of other values that the broker does
/// not store.
///
/// The text is the base64url of the version (1 byte), key ID (4), nonce (12), AES-256-GCM ciphertext and tag (16). The
/// additional data contains the version, key ID and issuer, so that the state of another broker cannot be opened. The
/// first key seals; all keys open.
package struct StateSealer: Sendable {
    /// The kind of sealed value, each with a key of its own.
    package enum Purpose: Sendable {
        /// The `state` of a login.
        case login
        /// The `state` of a login that belongs to an extension, which may be longer. It is opened as ``login``: what it is
        /// stands in the state.
        case extensionLogin
        /// A start that waits for the user to choose a provider.
        case choice
        /// An access token.
        case accessToken
        /// A logout that waits for the user or the provider.
        case logout
        /// A cookie that keeps the ID token of a provider for the sign-out.
        case signOut
    }

    /// The maximum length of sealed login state, in characters.
    package static let maximumStateLength = 1100
    /// The maximum length of the sealed state of a login that belongs to an extension, in characters.
    package static let maximumExtensionStateLength = 2048
    /// The maximum length of a sealed choice, which contains a complete start request, in characters.
    package static let maximumChoiceLength = 16_384

    /// The maximum length of a sealed logout, in characters.
    package static let maximumLogoutLength = 6144
    /// The maximum length of a sealed ID token of a provider, which must fit into the head of a response, in characters.
    package static let maximumSignOutLength = 3584
    /// The maximum length of a sealed access token without its prefix, which contains the claims of an ID token, in
    /// characters.
    package static let maximumAccessTokenLength =
        BearerToken.maximumLength - IssuedTokenPrefix.accessToken.utf8.count

    private static let version: UInt8 = 1

    /// The keys, newest first.
    package let keys: [LoginKeys]
    /// The additional data for each key, in the same order.
    private let additionalData: [[UInt8]]

    /// - Parameters:
    ///   - keys: The keys, newest first, at least one.
    ///   - issuer: The issuer of the broker, to which what is sealed is bound.
    package init(keys: [LoginKeys], issuer: String) {
        self.keys = keys
        additionalData = keys.map { [Self.version] + $0.keyID + Array(issuer.utf8) }
    }

    /// The key that seals; `nil` only if there are no keys.
    package var current: LoginKeys? { keys.first }

    /// Seals a value with the newest key; `nil` if the text would be too long.
    /// - Parameters:
    ///   - plaintext: The value.
    ///   - purpose: What it is for, to which it is bound.
    ///   - nonce: 12 random bytes that were never used before.
    package func seal(
        _ plaintext: [UInt8],
        for purpose: Purpose,
        nonce: [UInt8] = SecureRandom.bytes(AuthenticatedEncryption.nonceByteCount)
    ) -> String? {
        guard let key = keys.first, let additionalData = additionalData.first,
            let sealed = try? AuthenticatedEncryption.seal(
                plaintext, key: secret(key, purpose), nonce: nonce, authenticating: additionalData)
        else { return nil }
        let text = Base64URL.encode([Self.version] + key.keyID + sealed)
        return text.utf8.count <= Self.maximumLength(purpose) ? text : nil
    }

    /// Opens a text and returns the value and the key that sealed it; `nil` if it was not sealed here for this purpose.
    package func open(_ text: WireText, for purpose: Purpose) -> (plaintext: [UInt8], keys: LoginKeys)? {
        // Of a `state` it is not known yet whose login it is.
        let longest = purpose == .login ? Self.maximumExtensionStateLength : Self.maximumLength(purpose)
        guard text.utf8.count <= longest, let bytes = Base64URL.decode(text),
            bytes.count > 5, bytes[0] == Self.version
        else { return nil }
        for (key, additionalData) in zip(keys, additionalData) where bytes[1..<5].elementsEqual(key.keyID) {
            if let plaintext = AuthenticatedEncryption.open(
                Array(bytes[5...]), key: secret(key, purpose), authenticating: additionalData)
            {
                return (plaintext, key)
            }
        }
        return nil
    }

    /// Whether the text of a value of this many bytes would be short enough.
    package static func fits(_ count: Int, for purpose: Purpose) -> Bool {
        // Version, key ID, nonce and tag; base64url without padding.
        let sealed = 1 + 4 + AuthenticatedEncryption.nonceByteCount + count + 16
        return (sealed * 4 + 2) / 3 <= maximumLength(purpose)
    }

    private static func maximumLength(_ purpose: Purpose) -> Int {
        switch purpose {
        case .login: maximumStateLength
        case .extensionLogin: maximumExtensionStateLength
        case .choice: maximumChoiceLength
        case .accessToken: maximumAccessTokenLength
        case .logout: maximumLogoutLength
        case .signOut: maximumSignOutLength
        }
    }

    private func secret(_ key: LoginKeys, _ purpose: Purpose) -> SealingSecret {
        switch purpose {
        case .login, .extensionLogin: key.state
        case .choice: key.choice
        case .accessToken: key.accessToken
        case .logout: key.logout
        case .signOut: key.signOut
        }
    }
}
