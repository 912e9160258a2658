// SPDX-License-Identifier: Apache-2.0

/// What a person allowed a client: stands behind a code, and then behind the tokens.
struct AppleGrant: Sendable {
    let client: MockApple.Client
    let person: MockApple.Person
    /// Nil for a native app, whose codes were sent to no URL.
    let redirectURI: String?
    let scopes: [String]
    let nonce: String?
    let codeChallenge: String?
    let hidesEmail: Bool
    /// Seconds since 1970.
    let authTime: Int64
    /// There for the first native credential only.
    let realUserStatus: Int?
    /// There after the app came from another team.
    let transferSubject: String?

    var subject: String { person.subject(teamID: client.teamID) }
    var email: String { hidesEmail ? person.relayAddress(teamID: client.teamID) : person.email }
    var consent: AppleConsent { AppleConsent(email: person.email, teamID: client.teamID) }
}

/// Whose consent it is, to which team: all apps of a team share it.
struct AppleConsent: Sendable, Hashable {
    let email: String
    let teamID: String
}

/// A sign-in whose person has still to allow or deny.
struct ApplePendingConsent: Sendable {
    let requested: AppleAuthorizationRequest
    let person: MockApple.Person
}
