// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting

extension MockApple {
    /// A user with an account at the mock Apple.
    public struct Person: Sendable, Hashable {
        /// The email to sign in with. It is also the one that is shared unless it is hidden.
        public var email: String
        /// The password.
        public var password: String
        /// The given name that is suggested at the first consent.
        public var givenName: String
        /// The family name that is suggested at the first consent.
        public var familyName: String
        /// Whether the email is hidden in a sign-in without interaction.
        public var hidesEmail: Bool
        /// The `real_user_status` of the first native credential.
        public var realUserStatus = 2

        /// Creates a user.
        public init(
            email: String,
            password: String,
            givenName: String,
            familyName: String,
            hidesEmail: Bool = false
        ) {
            self.email = email
            self.password = password
            self.givenName = givenName
            self.familyName = familyName
            self.hidesEmail = hidesEmail
        }

        /// The default users.
        public static let mock = [
            Person(email: "ada@example.com", password: "analytical-engine", givenName: "Ada", familyName: "Example"),
            Person(
                email: "grace@example.com", password: "first-compiler", givenName: "Grace", familyName: "Example",
                hidesEmail: true),
        ]

        /// Returns the `sub` in Apple's format, which differs for each team.
        func subject(teamID: String) -> String {
            let digest = Hash.sha256("sub \(teamID) \(email)".utf8)
            return "000\(100 + Int(digest[16]))." + Hexadecimal.text(digest[..<16]) + ".\(1000 + Int(digest[17]))"
        }

        /// Returns the relay address that hides the user's own email. It differs for each team.
        func relayAddress(teamID: String) -> String {
            Hexadecimal.text(Hash.sha256("relay \(teamID) \(email)".utf8)[..<5]) + "@privaterelay.appleid.com"
        }

        /// Returns the transfer identifier between two teams, which is the same for each call.
        func transferSubject(from: String, to: String) -> String {
            "000000." + Hexadecimal.text(Hash.sha256("transfer \(from) \(to) \(email)".utf8)[..<16]) + ".r"
        }
    }
}

extension MockApple.Person: PasswordAccount {
    package var displayedName: String { "\(givenName) \(familyName)" }
}
