// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// What an app got on the person's device, as it brings it to the credential endpoint; read strictly, not yet believed.
struct NativeCredential {
    /// The longest raw nonce, bytes.
    static let longestNonce = 255

    let idToken: Secret
    /// For the same client id as the ID token; `nil` if the app brings none.
    let authorizationCode: String?
    /// What the app kept; its SHA-256 in lower-case hexadecimal went to the provider.
    let rawNonce: String?
    /// Apple's name of the person, JSON.
    let user: WireText?

    /// - Throws: the error the app is told.
    init(_ form: Parameters) throws(TokenError) {
        guard let idToken = AppAuthentication.value("id_token", form) else {
            throw TokenError("invalid_request", "id_token is missing.")
        }
        guard let idToken = idToken.visibleASCII(atMost: JSONWebSignature.longestToken) else {
            throw TokenError("invalid_request", "id_token is too long or has characters that no token has.")
        }
        self.idToken = Secret(idToken)
        let code = AppAuthentication.value("authorization_code", form)
        authorizationCode = code?.visibleASCII(atMost: AuthorizationCode.maximumLength)
        guard (code == nil) == (authorizationCode == nil) else {
            throw TokenError("invalid_request", "authorization_code is too long or has characters that no code has.")
        }
        let nonce = AppAuthentication.value("raw_nonce", form)
        rawNonce = nonce?.visibleASCII(atMost: Self.longestNonce)
        guard (nonce == nil) == (rawNonce == nil) else {
            throw TokenError("invalid_request", "raw_nonce is longer than \(Self.longestNonce) bytes or not printable.")
        }
        user = AppAuthentication.value("user", form)
    }
}
