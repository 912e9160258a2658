// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension MockApple {
    /// The configuration of a mock Apple. Every member has a default.
    public struct Configuration: Sendable {
        /// The host or address to listen on.
        public var host: String
        /// The port to listen on; 0 takes a free one.
        public var port: Int
        /// The host in the issuer and so in every URL of the metadata; `nil` if it is ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; `nil` for plain http, which a client accepts only from a loopback issuer.
        public var certificate: DevelopmentCertificate?
        /// The registered Services IDs and bundle IDs.
        public var clients: [Client]
        /// The developer keys of the teams; ``MockApple/register(_:)`` adds more.
        public var developerKeys: [DeveloperKey]
        /// The people who can sign in.
        public var people: [Person]
        /// How a person completes the authorization endpoint.
        public var interaction: OpenIDProvider.Interaction
        /// The signature algorithm of ID tokens. Apple uses RS256.
        public var signingAlgorithm: OpenIDProvider.SigningAlgorithm
        /// Whether `email_verified`, `is_private_email` and `nonce_supported` are strings, as older tokens of Apple
        /// have them.
        public var writesBooleansAsText: Bool
        /// The clock for all times that are issued or validated.
        public var clock: any UnixClock
        /// The initial misbehavior; ``MockApple/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``MockApple/recordedRequests()``. Benchmarks switch this off.
        public var recordsRequests: Bool

        /// Creates a configuration.
        public init(
            host: String = "127.0.0.1",
            port: Int = 0,
            issuerHost: String? = nil,
            certificate: DevelopmentCertificate? = nil,
            clients: [Client] = [],
            developerKeys: [DeveloperKey] = [],
            people: [Person] = Person.mock,
            interaction: OpenIDProvider.Interaction = .page,
            signingAlgorithm: OpenIDProvider.SigningAlgorithm = .rs256,
            writesBooleansAsText: Bool = false,
            clock: any UnixClock = SystemUnixClock(),
            misbehavior: Misbehavior = .none,
            recordsRequests: Bool = true
        ) {
            self.host = host
            self.port = port
            self.issuerHost = issuerHost
            self.certificate = certificate
            self.clients = clients
            self.developerKeys = developerKeys
            self.people = people
            self.interaction = interaction
            self.signingAlgorithm = signingAlgorithm
            self.writesBooleansAsText = writesBooleansAsText
            self.clock = clock
            self.misbehavior = misbehavior
            self.recordsRequests = recordsRequests
        }

        /// The person who signs in without interaction; `nil` if the pages ask, or there is no such person.
        var automaticPerson: Person? {
            guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
            return people[index]
        }
    }
}
