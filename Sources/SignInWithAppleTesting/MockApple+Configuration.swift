// SPDX-License-Identifier: Apache-2.0

public import OIDCBrokerTesting

extension MockApple {
    /// The configuration of a mock Apple. Every member has a default. The members of `ProviderSettings` are its own too;
    /// ID tokens are signed with RS256 by default, as Apple's are.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        var common: ProviderSettings<Person, Misbehavior>
        /// The registered Services IDs and bundle IDs.
        public var clients: [Client]
        /// The developer keys of the teams; ``MockApple/register(_:)`` adds more.
        public var developerKeys: [DeveloperKey]
        /// Whether `email_verified`, `is_private_email` and `nonce_supported` are strings, as older tokens of Apple
        /// have them.
        public var writesBooleansAsText = false

        /// Creates a configuration.
        public init(
            clients: [Client] = [],
            developerKeys: [DeveloperKey] = [],
            certificate: DevelopmentCertificate? = nil,
            interaction: OpenIDProvider.Interaction = .page,
            misbehavior: Misbehavior = .none
        ) {
            self.clients = clients
            self.developerKeys = developerKeys
            common = ProviderSettings(
                people: Person.mock, signingAlgorithm: .rs256, certificate: certificate, interaction: interaction,
                misbehavior: misbehavior)
        }

        public subscript<Value>(
            dynamicMember member: WritableKeyPath<ProviderSettings<Person, Misbehavior>, Value>
        ) -> Value {
            get { common[keyPath: member] }
            set { common[keyPath: member] = newValue }
        }
    }
}
