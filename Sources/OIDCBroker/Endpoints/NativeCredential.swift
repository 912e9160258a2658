// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// What an app got on the person's device, as it brings it to the credential endpoint; read strictly, not yet believed.
struct NativeCredential {
    /// The longest raw nonce, bytes.
    static let longestNonce = 255

    let idToken: Secret
    /// For the same client id as the ID token; nil where the app brings none.
    let authorizationCode: String?
    /// What the app kept; its SHA-256 in lower-case hexadecimal went to the provider.
    let rawNonce: String?
    /// Apple's name of the person, JSON.
    let user: String?

    /// - Throws: the error the app is told.
    init(_ form: Parameters) throws(TokenError) {
        guard let idToken = AppAuthentication.value("id_token", form) else {
            throw TokenError("invalid_request", "id_token is missing.")
        }
        guard Self.isText(idToken, JSONWebSignature.longestToken) else {
            throw TokenError("invalid_request", "id_token is too long or has characters that no token has.")
        }
        self.idToken = Secret(idToken)
        authorizationCode = AppAuthentication.value("authorization_code", form)
        guard authorizationCode.map({ Self.isText($0, ReturnParameters.maximumCodeLength) }) != false else {
            throw TokenError("invalid_request", "authorization_code is too long or has characters that no code has.")
        }
        rawNonce = AppAuthentication.value("raw_nonce", form)
        guard rawNonce.map({ Self.isText($0, Self.longestNonce) }) != false else {
            throw TokenError("invalid_request", "raw_nonce is longer than \(Self.longestNonce) bytes or not printable.")
        }
        user = AppAuthentication.value("user", form)
    }

    /// Whether a text is printable ASCII without spaces, and not too long.
    static func isText(_ text: String, _ maximum: Int) -> Bool {
        text.utf8.count <= maximum && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
