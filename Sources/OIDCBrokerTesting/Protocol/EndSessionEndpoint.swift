// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The end session endpoint (OpenID Connect RP-Initiated Logout 1.0 section 2), for a browser.
    ///
    /// Like some providers, it demands an ID token of its own as the hint, and shows an error page without it. It takes any
    /// URI to return to.
    mutating func endSession(_ request: ReceivedRequest) -> SentResponse {
        func value(_ name: String) -> String? { (try? request.query?.nonEmptyValue(name))??.makeString() }
        guard let hint = value("id_token_hint"), isOwn(hint, of: value("client_id")),
            let uri = value("post_logout_redirect_uri")
        else {
            violate(request, "the hint is not an ID token of the client")
            return .page(ProviderPages.failure("The application did not say who signs out."), status: 400)
        }
        guard let state = value("state") else { return .redirect(to: uri) }
        return .redirect(to: FormURLEncoding.encode([("state", state)], behind: uri + "?"))
    }

    /// Whether a text is an ID token that the current key signed for a client.
    private func isOwn(_ hint: String, of clientID: String?) -> Bool {
        let document: JSONObject = ["keys": [.object(keys.current.publicJWK)]]
        guard let set = try? KeySet(json: document.serialized()), let signature = try? JSONWebSignature(compact: hint),
            let claims = try? signature.verified(by: set, algorithms: [keys.current.algorithm]).claims,
            let clientID
        else { return false }
        return claims["iss"]?.text?.hasSameBytes(as: issuer) == true
            && claims["aud"]?.text?.hasSameBytes(as: clientID) == true
    }
}
