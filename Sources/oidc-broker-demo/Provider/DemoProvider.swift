// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The kind of provider in the demo: the option `--provider`.
enum DemoProvider: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// The development provider of `OIDCBrokerTesting`, an ordinary OpenID Provider.
    case development
    /// The mock Apple of `OIDCBrokerTesting`.
    case apple

    /// The description of the provider within a sentence. It says that the provider is not a real one.
    var name: String {
        switch self {
        case .development: "the development provider"
        case .apple: "a mock Apple, which is not Apple"
        }
    }

    /// The titles of the buttons on its consent page.
    var buttons: (allow: String, deny: String) {
        switch self {
        case .development: ("Allow", "Deny")
        case .apple: ("Continue", "Cancel")
        }
    }
}
