// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

extension AppleState {
    /// The lifetime of a code, in seconds.
    static var codeLifetime: Int64 { 300 }

    /// The choice of a person at the first consent; a member that is `nil` defaults to the person's own value.
    struct Choice: Sendable {
        var givenName: String?
        var familyName: String?
        var hidesEmail: Bool?
    }

    mutating func authorize(_ parameters: Parameters?) -> Plan {
        if let ticket = parameters?.strings.first(where: { $0.name == "page" })?.value { return page(with: ticket) }
        return validated(parameters) { state, requested in
            if let person = state.configuration.automaticPerson {
                return state.allow(requested, person: person, Choice())
            }
            return .response(.page(ApplePages.signIn(requested, people: state.configuration.people)))
        }
    }

    private func page(with ticket: String) -> Plan {
        switch tickets.value(for: ticket, now: now) {
        case .signIn(let requested, let email):
            .response(.page(ApplePages.signIn(requested, people: configuration.people, email: email, hasFailed: true)))
        case .consent(let requested, let person):
            .response(
                .page(
                    ApplePages.consent(
                        requested, person: person, ticket: ticket, isFirst: isFirstConsent(person, requested.client))))
        case nil: Self.endedPage
        }
    }

    private static var endedPage: Plan {
        failure("This page was used already, or is too old. Start again in the app.")
    }

    private mutating func redirect(to page: PendingPage<AppleAuthorizationRequest, MockApple.Person>) -> Plan {
        let (ticket, now) = (Self.randomValue(), now)
        tickets.insert(page, for: ticket, expiry: now + SentResponse.ticketLifetime, now: now)
        return .response(.redirect(from: "/auth/authorize", toPageWith: ticket))
    }

    /// Handles the form of a page that is posted to the authorization endpoint.
    mutating func submit(_ form: Parameters?) -> Plan {
        guard let form else { return Self.failure("The form could not be read.") }
        func first(_ name: String) -> String? { form.strings.first { $0.name == name }?.value }
        let choice = Choice(
            givenName: first("given_name"), familyName: first("family_name"),
            hidesEmail: first("email_choice").map { $0 == "hide" })
        if let ticket = first("ticket") {
            guard case .consent(let requested, let person) = tickets.take(ticket, now: now) else {
                return Self.endedPage
            }
            return decide(requested, person: person, decision: first("decision"), choice)
        }
        guard let text = first("authorization_request") else { return authorize(form) }
        let email = first("email") ?? ""
        let password = first("password") ?? ""
        let decision = first("decision")
        return validated(try? FormURLEncoding.parse(text.utf8)) { state, requested in
            guard let person = state.configuration.people.account(email: email, password: password) else {
                return state.redirect(to: .signIn(requested, email: email))
            }
            // A program decides in the same request; a person is asked on another page.
            if let decision { return state.decide(requested, person: person, decision: decision, choice) }
            return state.redirect(to: .consent(requested, person))
        }
    }

    /// Passes a valid authorization request on, and responds to an invalid one.
    private mutating func validated(
        _ parameters: Parameters?,
        _ proceed: (inout AppleState, AppleAuthorizationRequest) -> Plan
    ) -> Plan {
        guard let parameters else { return Self.failure("The request could not be read.") }
        do throws(AppleRefusal) {
            return proceed(
                &self, try AppleAuthorizationRequest(parameters, clients: configuration.clients))
        } catch {
            return Self.failure(error.message)
        }
    }

    private mutating func decide(
        _ requested: AppleAuthorizationRequest,
        person: MockApple.Person,
        decision: String?,
        _ choice: Choice
    ) -> Plan {
        guard decision == "allow" else {
            return .response(requested.answer([("error", "user_cancelled_authorize")]))
        }
        return allow(requested, person: person, choice)
    }

    private mutating func allow(
        _ requested: AppleAuthorizationRequest,
        person: MockApple.Person,
        _ choice: Choice
    ) -> Plan {
        let now = now
        let consent = AppleConsent(email: person.email, teamID: requested.client.teamID)
        let isFirst = consents[consent] == nil
        let hidesEmail = consents[consent] ?? choice.hidesEmail ?? person.hidesEmail
        consents[consent] = hidesEmail
        let grant = AppleGrant(
            client: requested.client, person: person, redirectURI: requested.redirectURI, scopes: requested.scopes,
            nonce: requested.nonce, codeChallenge: requested.codeChallenge, hidesEmail: hidesEmail, authTime: now,
            realUserStatus: nil, transferSubject: transferSubject(of: person, for: requested.client))
        let code = Self.randomValue()
        codes.insert(grant, for: code, expiry: now + Self.codeLifetime, now: now)
        var tail: [(String, String)] = []
        if isFirst, requested.scopes.contains("name") || requested.scopes.contains("email") {
            counts.firstConsents += 1
            let user = AppleUserField(
                givenName: choice.givenName ?? person.givenName, familyName: choice.familyName ?? person.familyName,
                email: requested.scopes.contains("email") ? grant.email : nil,
                hasName: requested.scopes.contains("name"), misbehavior: misbehavior)
            tail = [("user", user.text)]
        }
        guard requested.responseType.hasIDToken else {
            return .response(requested.answer([("code", code)] + tail))
        }
        let codes = requested.responseType.hasCode ? [("code", code)] : []
        let token = idToken(grant, code: code)
        return .sign { [tail] in
            guard let text = try? token.text() else { return requested.answer([("error", "server_error")]) }
            return requested.answer(codes + [("id_token", text)] + tail)
        }
    }

    /// Returns the ID token of a grant, which is issued with a code or with an access token.
    func idToken(_ grant: AppleGrant, code: String? = nil, accessToken: String? = nil) -> AppleIDToken {
        AppleIDToken(
            grant: grant, issuer: issuer, key: key, now: now, code: code, accessToken: accessToken,
            writesBooleansAsText: configuration.writesBooleansAsText, misbehavior: misbehavior)
    }

    private static func failure(_ message: String) -> Plan {
        .response(.page(ProviderPages.failure(message), status: 400))
    }
}
