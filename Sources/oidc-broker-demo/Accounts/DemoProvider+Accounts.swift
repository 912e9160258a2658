// SPDX-License-Identifier: Apache-2.0

extension DemoProvider {
    /// The name of the provider in the broker's configuration.
    var configuredName: String {
        switch self {
        case .development: "demo"
        case .apple: "apple"
        }
    }

    /// The ID of the provider on the wire for accounts, which is the default of its kind.
    var wireID: String {
        switch self {
        case .development: "oidc.demo"
        case .apple: "apple.com"
        }
    }

    /// The name of the provider beside a button.
    var title: String {
        switch self {
        case .development: "the development provider"
        case .apple: "the mock Apple"
        }
    }

    /// The provider with an ID of the wire; `nil` if there is none.
    init?(wireID: String) {
        guard let known = Self.allCases.first(where: { $0.wireID.utf8.elementsEqual(wireID.utf8) }) else { return nil }
        self = known
    }
}
