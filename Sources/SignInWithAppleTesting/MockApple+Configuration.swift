// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
public import OpenIDRelyingParty

extension MockApple {
    /// The configuration of a mock Apple. Every member has a default.
    public struct Configuration: Sendable {
        /// The host or address to listen on.
        public var host = "127.0.0.1"
        /// The port to listen on; 0 takes a free one.
        public var port = 0
        /// The host in the issuer and so in every URL of the metadata; `nil` if it is ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; `nil` for plain http, which a client accepts only from a loopback issuer.
        public var certificate: DevelopmentCertificate?
        /// The registered Services IDs and bundle IDs.
        public var clients: [Client]
        /// The developer keys of the teams; ``MockApple/register(_:)`` adds more.
        public var developerKeys: [DeveloperKey]
        /// The people who can sign in.
        public var people: [Person] = Person.mock
        /// How a person completes the authorization endpoint.
        public var interaction: OpenIDProvider.Interaction
        /// The signature algorithm of ID tokens. Apple uses RS256.
        public var signingAlgorithm: OpenIDProvider.SigningAlgorithm = .rs256
        /// Whether `email_verified`, `is_private_email` and `nonce_supported` are strings, as older tokens of Apple
        /// have them.
        public var writesBooleansAsText = false
        /// The clock for all times that are issued or validated.
        public var clock: any UnixClock = SystemUnixClock()
        /// The initial misbehavior; ``MockApple/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``MockApple/recordedRequests()``. Benchmarks switch this off.
        public var recordsRequests = true

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
            self.certificate = certificate
            self.interaction = interaction
            self.misbehavior = misbehavior
        }

        /// The person who signs in without interaction; `nil` if the pages ask, or there is no such person.
        var automaticPerson: Person? {
            guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
            return people[index]
        }
    }
}
