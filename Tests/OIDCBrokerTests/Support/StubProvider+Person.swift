// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// What the person does at the provider: the authorization response the browser brings back.
extension StubProvider {
    /// The person signs in.
    func signIn(_ request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> [(String, String)] {
        #expect(request.base == issuer + "/authorize", sourceLocation: sourceLocation)
        let code = "upstream-code-" + Base64URL.encode(SecureRandom.bytes(24))
        register(
            code: code,
            Grant(
                nonce: try #require(request["nonce"], sourceLocation: sourceLocation),
                challenge: try #require(request["code_challenge"], sourceLocation: sourceLocation),
                redirectURI: try #require(request["redirect_uri"], sourceLocation: sourceLocation)))
        return [
            ("code", code), ("state", try #require(request["state"], sourceLocation: sourceLocation)), ("iss", issuer),
        ]
    }

    /// The provider says no.
    func refuse(_ request: Location, _ error: String, description: String? = nil) throws -> [(String, String)] {
        let text = description.map { [("error_description", $0)] } ?? []
        return [("error", error)] + text + [("state", try #require(request["state"])), ("iss", issuer)]
    }
}
