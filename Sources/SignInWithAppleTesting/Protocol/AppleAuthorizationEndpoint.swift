// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect

extension AppleState {
    /// The lifetime of a code, in seconds.
    static var codeLifetime: Int64 { 300 }

    func signInPage(_ requested: AppleAuthorizationRequest, email: String?, hasFailed: Bool) -> ProviderPage {
        ApplePages.signIn(requested, people: configuration.people, email: email, hasFailed: hasFailed)
    }

    func consentPage(
        _ requested: AppleAuthorizationRequest, person: MockApple.Person, ticket: String
    ) -> ProviderPage {
        ApplePages.consent(
            requested, person: person, ticket: ticket, isFirst: isFirstConsent(person, requested.client))
    }

    func denied(_ requested: AppleAuthorizationRequest) -> Plan {
        .response(requested.answer([("error", "user_cancelled_authorize")]))
    }

    mutating func validated(
        _ request: ReceivedRequest, _ parameters: Parameters?,
        _ proceed: (inout AppleState, AppleAuthorizationRequest) -> Plan
    ) -> Plan {
        guard let parameters else { return .failure("The request could not be read.") }
        do throws(AppleRefusal) {
            return proceed(&self, try AppleAuthorizationRequest(parameters, clients: configuration.clients))
        } catch {
            return .failure(error.message)
        }
    }

    /// Grants what was requested. At the first consent the form has the name, and whether the email is hidden.
    mutating func issue(
        _ requested: AppleAuthorizationRequest, person: MockApple.Person, form: Parameters?
    ) -> Plan {
        let now = now
        let consent = AppleConsent(email: person.email, teamID: requested.client.teamID)
        let isFirst = consents[consent] == nil
        let hidesEmail = consents[consent] ?? form?.first("email_choice").map { $0 == "hide" } ?? person.hidesEmail
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
                givenName: form?.first("given_name") ?? person.givenName,
                familyName: form?.first("family_name") ?? person.familyName,
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
}
