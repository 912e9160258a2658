// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// What the person does at the provider: the authorization response the browser brings back.
extension StubProvider {
    /// The person signs in.
    func signIn(_ request: Location, sourceLocation: SourceLocation = #_sourceLocation) throws -> [(String, String)] {
        #expect(request.base == issuer + "/authorize", sourceLocation: sourceLocation)
        let asked = try parameters(of: request, sourceLocation: sourceLocation)
        let code = "upstream-code-" + Base64URL.encode(SecureRandom.bytes(24))
        let type = try #require(asked["response_type"], sourceLocation: sourceLocation)
        // Without a code there is nothing to prove.
        let challenge = asked["code_challenge"] ?? (type == "id_token" ? "" : nil)
        let grant = Grant(
            nonce: try #require(asked["nonce"], sourceLocation: sourceLocation),
            challenge: try #require(challenge, sourceLocation: sourceLocation),
            redirectURI: try #require(asked["redirect_uri"], sourceLocation: sourceLocation))
        let state = ("state", try #require(asked["state"], sourceLocation: sourceLocation))
        guard type != "id_token" else {
            return [("id_token", try frontChannelToken(grant, code: nil)), state, ("iss", issuer)]
        }
        register(code: code, grant)
        let response = [("code", code), state, ("iss", issuer)]
        guard type == "code id_token" else { return response }
        return response + [("id_token", try frontChannelToken(grant, code: code))]
    }

    /// The provider says no.
    func refuse(_ request: Location, _ error: String, description: String? = nil) throws -> [(String, String)] {
        let text = description.map { [("error_description", $0)] } ?? []
        return [("error", error)] + text + [("state", try #require(request["state"])), ("iss", issuer)]
    }
}
