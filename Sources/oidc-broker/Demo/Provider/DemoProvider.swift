// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Who signs people in for the demo's broker: `--provider`.
enum DemoProvider: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// The development provider of `OIDCBrokerTesting`: an ordinary OpenID Provider.
    case development
    /// The mock Apple of `OIDCBrokerTesting`.
    case apple

    /// What it is, for a sentence that goes on; says that it is not the real thing.
    var name: String {
        switch self {
        case .development: "the development provider"
        case .apple: "a mock Apple, which is not Apple"
        }
    }

    /// What is written on the buttons of its consent page.
    var buttons: (allow: String, deny: String) {
        switch self {
        case .development: ("Allow", "Deny")
        case .apple: ("Continue", "Cancel")
        }
    }
}
