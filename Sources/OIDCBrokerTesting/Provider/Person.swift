// SPDX-License-Identifier: Apache-2.0

extension OpenIDProvider {
    /// A fictitious user who can sign in. The password is shown on the login page: never use a real one here.
    public struct Person: Sendable, Hashable {
        /// The email, which is also the user name.
        public var email: String
        /// The password, in plain text.
        public var password: String
        /// The full name.
        public var name: String
        /// The subject identifier, `sub`.
        public var subject: String
        /// The groups, which a client with the scope `groups` gets as the claim of that name.
        public var groups: [String]

        /// Creates a user.
        public init(email: String, password: String, name: String, subject: String, groups: [String] = []) {
            self.email = email
            self.password = password
            self.name = name
            self.subject = subject
            self.groups = groups
        }

        /// The default users.
        public static let mock = [
            Person(
                email: "ada@example.com", password: "analytical-engine", name: "Ada Example", subject: "person-ada",
                groups: ["staff"]),
            Person(
                email: "grace@example.com", password: "first-compiler", name: "Grace Example", subject: "person-grace",
                groups: ["guests"]),
        ]
    }
}
