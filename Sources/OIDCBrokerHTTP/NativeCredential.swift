// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect
package import OpenIDRelyingParty

/// The credential that an app received on the user's device, as presented to the credential endpoint. It is read
/// strictly and not verified yet.
package struct NativeCredential {
    /// The maximum length of a raw nonce, in bytes.
    static let longestNonce = 255

    /// The ID token.
    package let idToken: Secret
    /// The authorization code for the same client ID as the ID token; `nil` if the app presents none.
    package let authorizationCode: String?
    /// The nonce that the app kept, whose SHA-256 hash in lower-case hexadecimal was sent to the provider.
    package let rawNonce: String?
    /// The user's name from Apple, as JSON.
    package let user: WireText?

    /// - Throws: The error for the app.
    package init(_ form: Parameters) throws(TokenError) {
        guard let idToken = FormBody.value("id_token", form) else {
            throw TokenError("invalid_request", "id_token is missing.")
        }
        guard let idToken = idToken.visibleASCII(atMost: JSONWebSignature.longestToken) else {
            throw TokenError("invalid_request", "id_token is too long or has characters that no token has.")
        }
        self.idToken = Secret(idToken)
        let code = FormBody.value("authorization_code", form)
        authorizationCode = code?.visibleASCII(atMost: AuthorizationCode.maximumLength)
        guard (code == nil) == (authorizationCode == nil) else {
            throw TokenError("invalid_request", "authorization_code is too long or has characters that no code has.")
        }
        let nonce = FormBody.value("raw_nonce", form)
        rawNonce = nonce?.visibleASCII(atMost: Self.longestNonce)
        guard (nonce == nil) == (rawNonce == nil) else {
            throw TokenError("invalid_request", "raw_nonce is longer than \(Self.longestNonce) bytes or not printable.")
        }
        user = FormBody.value("user", form)
    }
}
