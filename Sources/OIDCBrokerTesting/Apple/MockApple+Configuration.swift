// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension MockApple {
    /// What a mock Apple is started with. Everything has a default; a test names what it is about.
    public struct Configuration: Sendable {
        /// The host or address to listen on.
        public var host: String
        /// The port to listen on; 0 takes a free one.
        public var port: Int
        /// The host in the issuer and so in every URL of the metadata; nil: the same as ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; nil: plain http, which a client takes from a loopback issuer only.
        public var certificate: DevelopmentCertificate?
        /// The registered Services IDs and bundle ids.
        public var clients: [Client]
        /// The keys that the teams have; ``MockApple/register(_:)`` adds more.
        public var developerKeys: [DeveloperKey]
        /// Who can sign in.
        public var people: [Person]
        /// How a person gets through the authorization endpoint.
        public var interaction: OpenIDProvider.Interaction
        /// What ID tokens are signed with; Apple uses RS256.
        public var signingAlgorithm: OpenIDProvider.SigningAlgorithm
        /// Whether `email_verified`, `is_private_email` and `nonce_supported` are texts, as they have been.
        public var writesBooleansAsText: Bool
        /// The clock for everything that is issued and expires.
        public var clock: any UnixClock
        /// What it does wrong from the start; ``MockApple/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``MockApple/recordedRequests()``; a benchmark switches it off.
        public var recordsRequests: Bool

        /// Makes a configuration.
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

        /// Who signs in without being asked; `nil` if the pages ask, or where there is no such person.
        var automaticPerson: Person? {
            guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
            return people[index]
        }
    }
}
