// SPDX-License-Identifier: Apache-2.0

extension OpenIDProvider {
    /// A made-up person who can sign in. The password is shown on the login page: never put a real one here.
    public struct Person: Sendable, Hashable {
        /// The e-mail address, which is also the name to sign in with.
        public var email: String
        /// The password, in the clear, since nobody real owns it.
        public var password: String
        /// The full name.
        public var name: String
        /// The subject identifier: `sub`.
        public var subject: String

        /// Makes a person up.
        public init(email: String, password: String, name: String, subject: String) {
            self.email = email
            self.password = password
            self.name = name
            self.subject = subject
        }

        /// The people a provider has when nobody names others.
        public static let mock = [
            Person(
                email: "ada@example.com", password: "analytical-engine", name: "Ada Example", subject: "person-ada"),
            Person(
                email: "grace@example.com", password: "first-compiler", name: "Grace Example", subject: "person-grace"),
        ]
    }
}
