// SPDX-License-Identifier: Apache-2.0

/// The grant of a user to a client. Codes and tokens refer to it.
struct AppleGrant: Sendable {
    let client: MockApple.Client
    let person: MockApple.Person
    /// The redirect URI; `nil` for a native app, whose codes are not sent to a URL.
    let redirectURI: String?
    let scopes: [String]
    let nonce: String?
    let codeChallenge: String?
    let hidesEmail: Bool
    /// The time of the sign-in, in seconds since 1970.
    let authTime: Int64
    /// The `real_user_status`; `nil` except for the first native credential.
    let realUserStatus: Int?
    /// The transfer identifier; `nil` unless the app was transferred from another team.
    let transferSubject: String?

    var subject: String { person.subject(teamID: client.teamID) }
    var email: String { hidesEmail ? person.relayAddress(teamID: client.teamID) : person.email }
    var consent: AppleConsent { AppleConsent(email: person.email, teamID: client.teamID) }
}

/// The key of a consent: the user and the team, whose apps share the consent.
struct AppleConsent: Sendable, Hashable {
    let email: String
    let teamID: String
}
