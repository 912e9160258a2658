// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// The lifetime of a code, in seconds.
    private static var codeLifetime: Int64 { 60 }

    /// The authorization endpoint (OpenID Connect Core 1.0 section 3.1.2).
    mutating func authorize(_ request: ReceivedRequest) -> Plan {
        guard let ticket = request.query?.strings.first(where: { $0.name == "page" })?.value else {
            return authorize(request, request.query)
        }
        switch tickets.value(for: ticket, now: now) {
        case .signIn(let requested, let email):
            return .response(
                .page(ProviderPages.signIn(requested, people: configuration.people, email: email, hasFailed: true)))
        case .consent(let requested, let person):
            return .response(.page(ProviderPages.consent(requested, person: person, ticket: ticket)))
        case nil: return Self.endedPage
        }
    }

    private static var endedPage: Plan {
        failure("This page was used already, or is too old. Start again in the app.")
    }

    private mutating func redirect(
        _ request: ReceivedRequest, to page: PendingPage<RequestedAuthorization, OpenIDProvider.Person>
    ) -> Plan {
        let (ticket, now) = (Self.randomValue(), now)
        tickets.insert(page, for: ticket, expiry: now + SentResponse.ticketLifetime, now: now)
        return .response(.redirect(from: request.path, toPageWith: ticket))
    }

    private mutating func authorize(_ request: ReceivedRequest, _ parameters: Parameters?) -> Plan {
        validated(request, parameters) { state, requested in
            if let person = state.configuration.automaticPerson {
                return state.issue(requested, person: person)
            }
            return .response(.page(ProviderPages.signIn(requested, people: state.configuration.people)))
        }
    }

    /// Handles a POST request to the authorization endpoint: the form of one of its pages, or an authorization request
    /// (OpenID Connect Core 1.0 section 3.1.2.1).
    mutating func submit(_ request: ReceivedRequest) -> Plan {
        guard let form = request.form else { return Self.failure("The form could not be read.") }
        func first(_ name: String) -> String? { form.strings.first { $0.name == name }?.value }
        if let ticket = first("ticket") {
            guard case .consent(let requested, let person) = tickets.take(ticket, now: now) else {
                return Self.endedPage
            }
            return decide(requested, person: person, decision: first("decision"))
        }
        guard let text = first("authorization_request") else { return authorize(request, form) }
        let email = first("email") ?? ""
        let password = first("password") ?? ""
        let decision = first("decision")
        return validated(request, try? FormURLEncoding.parse(text.utf8)) { state, requested in
            guard let person = state.configuration.people.account(email: email, password: password) else {
                return state.redirect(request, to: .signIn(requested, email: email))
            }
            // A program decides in the same request; a person is asked on another page.
            if let decision { return state.decide(requested, person: person, decision: decision) }
            return state.redirect(request, to: .consent(requested, person))
        }
    }

    /// Passes a valid authorization request on, and responds to an invalid one.
    private mutating func validated(
        _ request: ReceivedRequest,
        _ parameters: Parameters?,
        _ proceed: (inout ProviderState, RequestedAuthorization) -> Plan
    ) -> Plan {
        guard let parameters else {
            violate(request, "the authorization request cannot be decoded")
            return Self.failure("The request could not be read.")
        }
        do throws(AuthorizationRefusal) {
            let requested = try requestedAuthorization(request, parameters)
            guard !requested.forbidsPages else {
                let error = AuthorizationMint.error("login_required", "no user is signed in")
                return .response(answer(requested.target, error))
            }
            return proceed(&self, requested)
        } catch {
            violate(request, error.reason)
            switch error {
            case .page(let message): return Self.failure(message)
            case .redirect(let target, let code, let description):
                return .response(answer(target, AuthorizationMint.error(code, description)))
            }
        }
    }

    /// Returns the request itself, or the pushed one if there is a `request_uri` (RFC 9126 section 4).
    private mutating func requestedAuthorization(
        _ request: ReceivedRequest, _ parameters: Parameters
    ) throws(AuthorizationRefusal) -> RequestedAuthorization {
        let text = FormURLEncoding.encode(parameters.strings.map { ($0.name, $0.value) })
        guard parameters.contains("request_uri") else {
            let requested = try RequestedAuthorization(parameters, configuration, text: text)
            guard !configuration.requiresPushedAuthorization else {
                throw .redirect(
                    requested.target, error: "invalid_request", description: "the request must be pushed")
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

    private mutating func decide(
        _ requested: RequestedAuthorization,
        person: OpenIDProvider.Person,
        decision: String?
    ) -> Plan {
        guard decision == "allow" else {
            return .response(
                answer(requested.target, AuthorizationMint.error("access_denied", "the person did not allow it")))
        }
        return issue(requested, person: person)
    }

    /// Grants what was requested: a code, an ID token, or both.
    private mutating func issue(_ requested: RequestedAuthorization, person: OpenIDProvider.Person) -> Plan {
        let now = now
        let grant = Grant(
            clientID: requested.clientID,
            redirectURI: requested.target.redirectURI,
            scopes: requested.scopes,
            nonce: requested.nonce,
            codeChallenge: requested.codeChallenge,
            person: person,
            authTime: now,
            tellsAuthTime: requested.asksMaximumAge,
            authenticationContext: requested.authenticationContext)
        var code: String?
        if requested.responseType.hasCode {
            let value = Self.randomValue()
            codes.insert(grant, for: value, expiry: now + Self.codeLifetime, now: now)
            code = value
        }
        guard requested.responseType.hasIDToken else {
            return .response(answer(requested.target, code.map { [("code", $0)] } ?? []))
        }
        let idToken = idTokenMint(grant, at: .authorizationEndpoint, code: code, state: requested.target.state)
        let response = authorizationResponse(requested.target)
        return .sign(AuthorizationMint(authorization: response, code: code, idToken: idToken).response)
    }

    /// Returns an authorization response with `state` and `iss`, in the requested mode.
    private func answer(_ target: ResponseTarget, _ parameters: [(String, String)]) -> SentResponse {
        authorizationResponse(target).response(parameters)
    }

    private func authorizationResponse(_ target: ResponseTarget) -> SentAuthorizationResponse {
        SentAuthorizationResponse(
            target: target, issuer: configuration.announcesIssuer ? issuer : nil, misbehavior: misbehavior)
    }

    private static func failure(_ message: String) -> Plan {
        .response(.page(ProviderPages.failure(message), status: 400))
    }
}
