// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import SignInWithAppleTesting

/// The fictitious users of the demo with accounts. Each has the same email and password at both providers.
enum DemoUser: String, Sendable, CaseIterable {
    case ada, grace

    /// The user at the development provider.
    var account: OpenIDProvider.Person {
        switch self {
        case .ada: DemoConfiguration.user
        case .grace:
            OpenIDProvider.Person(
                email: "grace@example.org", password: "first compiler", name: "Grace Example", subject: "person-grace")
        }
    }

    /// The user at the mock Apple, who hides the email by default.
    var appleAccount: MockApple.Person {
        switch self {
        case .ada: DemoConfiguration.appleAccount
        case .grace:
            MockApple.Person(
                email: account.email, password: account.password, givenName: "Grace", familyName: "Example",
                hidesEmail: true)
        }
    }

    /// The full name.
    var name: String { account.name }
}
