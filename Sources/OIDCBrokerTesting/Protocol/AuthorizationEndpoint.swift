// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The authorization endpoint (OpenID Connect Core 1.0 section 3.1.2), but for its pages, which every state has.
extension ProviderState {
    /// The lifetime of a code, in seconds.
    private static var codeLifetime: Int64 { 60 }

    func signInPage(_ requested: RequestedAuthorization, email: String?, hasFailed: Bool) -> ProviderPage {
        ProviderPages.signIn(requested, people: configuration.people, email: email, hasFailed: hasFailed)
    }

    func consentPage(
        _ requested: RequestedAuthorization, person: OpenIDProvider.Person, ticket: String
    ) -> ProviderPage {
        ProviderPages.consent(requested, person: person, ticket: ticket)
    }

    func denied(_ requested: RequestedAuthorization) -> Plan {
        answer(requested.target, AuthorizationMint.error("access_denied", "the user did not allow it"))
    }

    /// Passes a valid authorization request on, and responds to an invalid one.
    mutating func validated(
        _ request: ReceivedRequest,
        _ parameters: Parameters?,
        _ proceed: (inout ProviderState, RequestedAuthorization) -> Plan
    ) -> Plan {
        guard let parameters else {
            violate(request, "the authorization request cannot be decoded")
            return .failure("The request could not be read.")
        }
        do throws(AuthorizationRefusal) {
            let requested = try requestedAuthorization(request, parameters)
            guard !requested.forbidsPages else {
                guard let session = session(of: request, for: requested) else {
                    let error = AuthorizationMint.error("login_required", "no user is signed in")
                    return answer(requested.target, error)
                }
                return issue(requested, person: session.person, authTime: session.authTime)
            }
            return beginningSession(proceed(&self, requested))
        } catch {
            violate(request, error.reason)
            switch error {
            case .page(let message): return .failure(message)
            case .redirect(let target, let code, let description):
                return answer(target, AuthorizationMint.error(code, description))
            }
        }
    }

    /// Returns the request itself, or the pushed one if there is a `request_uri` (RFC 9126 section 4).
    private mutating func requestedAuthorization(
        _ request: ReceivedRequest, _ parameters: Parameters
    ) throws(AuthorizationRefusal) -> RequestedAuthorization {
        let text = FormURLEncoding.encode(parameters.strings.map { ($0.name, $0.value) })
        guard parameters.contains("request_uri") else {
            let signed = try self.parameters(signedIn: parameters, isPushed: false)
            let requested = try RequestedAuthorization(signed, configuration, text: text)
            guard !configuration.requiresPushedAuthorization else {
                throw .redirect(
                    requested.target, error: "invalid_request", description: "the request must be pushed")
            }
            guard !configuration.requiresSignedRequestObject || parameters.contains("request") else {
                throw .redirect(
                    requested.target, error: "invalid_request", description: "the request must be signed")
            }
            return requested
        }
        guard let uri = try? parameters.value("request_uri")?.makeString(),
            let found = pushed.value(for: uri, now: now),
            let clientID = try? parameters.value("client_id"), clientID.hasSameBytes(as: found.clientID)
        else { throw .page("The app that sent you here did not prepare this request, or it is too old.") }
        if parameters.all.count != 2 {
            violate(request, "parameters stand beside client_id and request_uri")
        }
        return try RequestedAuthorization(found.parameters, configuration, text: text)
    }

    /// Grants what was requested: a code, an ID token, or both.
    mutating func issue(
        _ requested: RequestedAuthorization, person: OpenIDProvider.Person, form: Parameters?
    ) -> Plan {
        issue(requested, person: person, authTime: now)
    }

    private mutating func issue(
        _ requested: RequestedAuthorization, person: OpenIDProvider.Person, authTime: Int64
    ) -> Plan {
        let now = now
        let grant = Grant(
            clientID: requested.clientID,
            redirectURI: requested.target.redirectURI,
            scopes: requested.scopes,
            nonce: requested.nonce,
            codeChallenge: requested.codeChallenge,
            person: person,
            authTime: authTime,
            tellsAuthTime: requested.maximumAge != nil,
            authenticationContext: requested.authenticationContext,
            dpopThumbprint: requested.dpopThumbprint)
        var code: String?
        if requested.responseType.hasCode {
            let value = Self.randomValue()
            codes.insert(grant, for: value, expiry: now + Self.codeLifetime, now: now)
            code = value
        }
        guard requested.responseType.hasIDToken else {
            return answer(requested.target, code.map { [("code", $0)] } ?? [])
        }
        let idToken = idTokenMint(grant, at: .authorizationEndpoint, code: code, state: requested.target.state)
        let response = authorizationResponse(requested.target)
        return .sign(AuthorizationMint(authorization: response, code: code, idToken: idToken).response)
    }

    /// Sends an authorization response with `state` and `iss`, in the requested mode.
    private func answer(_ target: ResponseTarget, _ parameters: [(String, String)]) -> Plan {
        let response = authorizationResponse(target)
        return .sign { response.response(parameters) }
    }

    private func authorizationResponse(_ target: ResponseTarget) -> SentAuthorizationResponse {
        SentAuthorizationResponse(
            target: target, issuer: configuration.announcesIssuer ? issuer : nil, misbehavior: misbehavior,
            mint: ResponseMint(
                issuer: issuer, clientID: target.clientID, keys: keys, now: now, misbehavior: misbehavior))
    }
}
