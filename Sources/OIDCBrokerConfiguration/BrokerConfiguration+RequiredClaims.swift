// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension BrokerConfiguration {
    /// The claims that users must have to sign in to an app: `require.<provider>.<claim>` of the app.
    ///
    /// They are named by provider, since a provider whose users edit their own profiles sends what they like. Once a
    /// provider has some, a provider without its own signs no user in.
    public struct RequiredClaims: Sendable, Hashable {
        /// What a claim must be.
        public enum Value: Sendable, Hashable {
            /// A text that is one of these, byte for byte, or a list that contains one of them.
            case anyOf([String])
            /// This Boolean.
            case bool(Bool)
        }

        /// The value of each claim, by its name for apps, by the name of the provider in the configuration. A user must
        /// have all of them.
        public var ofProviders: [String: [String: Value]]

        /// Creates required claims; none by default.
        public init(_ ofProviders: [String: [String: Value]] = [:]) { self.ofProviders = ofProviders }
    }
}

extension BrokerConfiguration.RequiredClaims {
    /// Whether any user may sign in.
    package var isEmpty: Bool { ofProviders.isEmpty }

    /// Returns what is missing of a user, for the log, without any value; `nil` if the user may sign in.
    /// - Parameters:
    ///   - claims: The claims by which the app decides. An absent one, or one of another type, is not met.
    ///   - provider: The name of the provider in the configuration.
    package func unmet(by claims: JSONObject, of provider: String) -> String? {
        guard !isEmpty else { return nil }
        guard let required = ofProviders[provider], !required.isEmpty else {
            return "the app requires claims of other providers only"
        }
        let unmet = required.keys.sorted().first { name in required[name]?.isMet(by: claims[name]) != true }
        return unmet.map { "the app requires '\($0)'" }
    }

    /// Returns what is wrong with required claims; `nil` if nothing is.
    /// - Parameters:
    ///   - providers: The providers of the configuration.
    ///   - usable: The names of those that the app may use; `nil` if it may use all.
    package func reason(among providers: [BrokerConfiguration.Provider], usable: [String]?) -> String? {
        for (name, required) in ofProviders.sorted(by: { $0.key < $1.key }) {
            guard let provider = providers.first(where: { $0.name == name }), usable?.contains(name) != false else {
                return "'\(name)' is not a provider of the app"
            }
            let known = ["email_verified"] + provider.claims.map(\.name)
            guard required.keys.allSatisfy(known.contains) else {
                return "a claim is neither in auth.provider.\(name).claims nor email_verified"
            }
            guard !required.isEmpty, !required.values.contains(.anyOf([])) else {
                return "a provider has no required claim, or a claim has no values"
            }
            if case .anyOf = required["email_verified"] { return "email_verified is true or false" }
        }
        return nil
    }
}

extension BrokerConfiguration.RequiredClaims.Value {
    fileprivate func isMet(by claim: JSONValue?) -> Bool {
        switch (self, claim) {
        case (.bool(let required), .bool(let value)?): value == required
        case (.anyOf(let texts), .text(let text)?): texts.contains { text.hasSameBytes(as: $0) }
        case (.anyOf(let texts), .array(let elements)?):
            elements.contains { element in
                element.text.map { text in texts.contains { text.hasSameBytes(as: $0) } } ?? false
            }
        default: false
        }
    }
}
