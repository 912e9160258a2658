// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// An authorization response to the client, with `state` and `iss`, in the requested mode.
struct SentAuthorizationResponse: Sendable {
    let target: ResponseTarget
    /// The `iss` (RFC 9207 section 2); `nil` if the provider does not send it.
    let issuer: String?
    let misbehavior: Misbehavior
    let mint: ResponseMint

    /// Returns the response with these parameters.
    func response(_ parameters: [(String, String)]) -> SentResponse {
        var parameters = parameters
        bend(&parameters)
        if let state { parameters.append(("state", state)) }
        if let responseIssuer { parameters.append(("iss", responseIssuer)) }
        if isSigned {
            do {
                parameters = [("response", try mint.token(parameters))]
            } catch {
                return .plain(status: 500, "The response could not be signed")
            }
        }
        return .authorization(to: target.redirectURI, parameters, in: mode)
    }

    private var isSigned: Bool {
        switch misbehavior {
        case .unrequestedSignedResponse: true
        case .unsignedResponse: false
        default: target.responseMode.isSigned
        }
    }

    private var mode: ResponseMode {
        let requested = target.responseMode.carrier
        guard misbehavior == .otherResponseMode else { return requested }
        return requested == .formPost ? .query : .formPost
    }

    private var state: String? {
        switch misbehavior {
        case .omitsState: nil
        case .wrongStateInAuthorizationResponse: target.state.map { $0 + "1" }
        default: target.state
        }
    }

    private var responseIssuer: String? {
        switch misbehavior {
        case .omitsIssuer: nil
        case .wrongIssuerInAuthorizationResponse: issuer.map { $0 + "1" }
        default: issuer
        }
    }

    /// Applies a misbehavior to the code and the other parameters; an error is not changed.
    private func bend(_ parameters: inout [(String, String)]) {
        guard let index = parameters.firstIndex(where: { $0.0 == "code" }) else { return }
        switch misbehavior {
        case .duplicateCode: parameters.append(parameters[index])
        case .emptyCode: parameters[index].1 = ""
        case .oversizedCode: parameters[index].1 = String(repeating: "c", count: 4097)
        case .errorBesideCode: parameters.append(("error", "server_error"))
        case .tokensBesideCode where !parameters.contains(where: { $0.0 == "id_token" }):
            parameters += [("id_token", "e30.e30.AAAA"), ("access_token", "another"), ("token_type", "Bearer")]
        default: break
        }
    }
}

/// An authorization response that contains an ID token (OpenID Connect Core 1.0 sections 3.2.2.5 and 3.3.2.5).
struct AuthorizationMint: Sendable {
    let authorization: SentAuthorizationResponse
    let code: String?
    let idToken: IDTokenMint

    func response() -> SentResponse {
        do {
            let token = try idToken.token()
            return authorization.response((code.map { [("code", $0)] } ?? []) + [("id_token", token)])
        } catch {
            return authorization.response(Self.error("server_error", "the ID token could not be signed"))
        }
    }

    /// Returns the parameters of an error response (RFC 6749 section 4.1.2.1).
    static func error(_ code: String, _ description: String) -> [(String, String)] {
        [("error", code), ("error_description", description)]
    }
}
