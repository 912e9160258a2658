// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension ProviderState {
    /// How long a code may wait for its redemption, in seconds.
    private static var codeLifetime: Int64 { 60 }
    /// How long a person may think about consent, in seconds.
    private static var ticketLifetime: Int64 { 600 }

    /// The authorization endpoint (OpenID Connect Core 1.0 section 3.1.2).
    mutating func authorize(_ parameters: Parameters?) -> SentResponse {
        judged(parameters) { state, requested in
            if let person = state.configuration.automaticPerson {
                return state.issueCode(requested, person: person)
            }
            return .page(ProviderPages.signIn(requested, people: state.configuration.people))
        }
    }

    /// What is posted to the authorization endpoint: the form of one of its pages, or an authorization request, which
    /// may be posted too (OpenID Connect Core 1.0 section 3.1.2.1).
    mutating func submit(_ form: Parameters?) -> SentResponse {
        guard let form else { return Self.failure("The form could not be read.") }
        func first(_ name: String) -> String? { form.all.first { $0.name == name }?.value }
        if let ticket = first("ticket") {
            guard let pending = tickets.take(ticket, now: now) else {
                return Self.failure("This page was used already, or is too old. Start again in the app.")
            }
            return decide(pending.requested, person: pending.person, decision: first("decision"))
        }
        guard let text = first("authorization_request") else { return authorize(form) }
        let email = first("email") ?? ""
        let password = first("password") ?? ""
        let decision = first("decision")
        return judged(try? FormURLEncoding.parse(text.utf8)) { state, requested in
            guard let person = state.person(email: email, password: password) else {
                let page = ProviderPages.signIn(
                    requested, people: state.configuration.people, email: email, hasFailed: true)
                return .page(page, status: 403)
            }
            // A program decides in the same request; a person is asked on a page of its own.
            if let decision { return state.decide(requested, person: person, decision: decision) }
            let ticket = Self.randomValue()
            let now = state.now
            state.tickets.insert(
                PendingConsent(requested: requested, person: person), for: ticket,
                expiry: now + Self.ticketLifetime, now: now)
            return .page(ProviderPages.consent(requested, person: person, ticket: ticket))
        }
    }

    /// Hands an authorization request on if it is in order, else answers it.
    private mutating func judged(
        _ parameters: Parameters?,
        _ proceed: (inout ProviderState, RequestedAuthorization) -> SentResponse
    ) -> SentResponse {
        guard let parameters else { return Self.failure("The request could not be read.") }
        do throws(AuthorizationRefusal) {
            let requested = try RequestedAuthorization(parameters, clients: configuration.clients)
            if requested.forbidsPages {
                throw .redirect(requested.target, error: "login_required", description: "nobody is signed in")
            }
            return proceed(&self, requested)
        } catch {
            switch error {
            case .page(let message): return Self.failure(message)
            case .redirect(let target, let code, let description):
                return answer(target, [("error", code), ("error_description", description)])
            }
        }
    }

    private func person(email: String, password: String) -> OpenIDProvider.Person? {
        let wanted = email.lowercased().split(separator: " ").joined(separator: " ")
        return configuration.people.first { person in
            person.email.lowercased() == wanted && ConstantTime.equal(person.password, password)
        }
    }

    private mutating func decide(
        _ requested: RequestedAuthorization,
        person: OpenIDProvider.Person,
        decision: String?
    ) -> SentResponse {
        guard decision == "allow" else {
            return answer(
                requested.target, [("error", "access_denied"), ("error_description", "the person did not allow it")])
        }
        return issueCode(requested, person: person)
    }

    private mutating func issueCode(
        _ requested: RequestedAuthorization,
        person: OpenIDProvider.Person
    ) -> SentResponse {
        let now = now
        let code = Self.randomValue()
        let grant = Grant(
            clientID: requested.clientID,
            redirectURI: requested.target.redirectURI,
            scopes: requested.scopes,
            nonce: requested.nonce,
            codeChallenge: requested.codeChallenge,
            person: person,
            authTime: now,
            tellsAuthTime: requested.asksMaximumAge)
        codes.insert(grant, for: code, expiry: now + Self.codeLifetime, now: now)
        return answer(requested.target, [("code", code)])
    }

    /// Sends an authorization response, with `state` and `iss`, in the mode that was asked for.
    private func answer(_ target: ReturnTarget, _ parameters: [(String, String)]) -> SentResponse {
        var parameters = parameters
        if let state = target.state { parameters.append(("state", state)) }
        if let responseIssuer { parameters.append(("iss", responseIssuer)) }
        if target.responseMode == .formPost {
            return .page(ProviderPages.formPost(to: target.redirectURI, parameters))
        }
        let separator = target.redirectURI.contains("?") ? "&" : "?"
        return .redirect(to: target.redirectURI + separator + FormURLEncoding.encode(parameters))
    }

    /// RFC 9207 section 2.
    private var responseIssuer: String? {
        switch misbehaviour {
        case .omitsIssuer: nil
        case .wrongIssuerInAuthorizationResponse: issuer + "1"
        default: configuration.announcesIssuer ? issuer : nil
        }
    }

    private static func failure(_ message: String) -> SentResponse {
        .page(ProviderPages.failure(message), status: 400)
    }
}
