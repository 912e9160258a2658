// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty

extension OpenIDProvider {
    /// How a person gets through the authorization endpoint.
    public enum Interaction: Sendable, Hashable {
        /// A login page, then a consent page.
        case page
        /// Nobody is asked: the person with this index in ``OpenIDProvider/Configuration/people`` signs in and allows.
        /// By `response_mode=form_post` the response is still a page with a button, as it carries a form.
        case automatic(Int)
    }

    /// What a provider is started with. Everything has a default; a test names what it is about.
    public struct Configuration: Sendable {
        /// The host or address to listen on.
        public var host: String
        /// The port to listen on; 0 takes a free one.
        public var port: Int
        /// The host in the issuer and so in every URL of the metadata; nil: the same as ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; nil: plain http, which a client takes from a loopback issuer only.
        public var certificate: DevelopmentCertificate?
        /// The registered clients. Redirect URIs whose ports are known later only:
        /// ``OpenIDProvider/allow(redirectURI:forClient:)``.
        public var clients: [Client]
        /// What ID tokens are signed with.
        public var signingAlgorithm: SigningAlgorithm
        /// Who can sign in.
        public var people: [Person]
        /// How a person gets through.
        public var interaction: Interaction
        /// Whether authorization responses carry `iss`, and the metadata says so (RFC 9207).
        public var announcesIssuer: Bool
        /// What the metadata says in `token_endpoint_auth_methods_supported`; empty leaves the member out.
        public var announcedClientAuthentication: [String]
        /// The clock for everything that is issued and expires.
        public var clock: any UnixClock
        /// What the provider does wrong from the start; ``OpenIDProvider/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``OpenIDProvider/recordedRequests()``; a benchmark switches it off.
        public var recordsRequests: Bool
        /// The response types the provider has, as the metadata says.
        public var responseTypes: [ResponseType]
        /// What the metadata says in `token_endpoint_auth_signing_alg_values_supported`; the member is left out where
        /// no method that signs is announced.
        public var announcedClientAuthenticationAlgorithms: [String]
        /// Whether authorization requests must be pushed (RFC 9126 section 5); they may always be.
        public var requiresPushedAuthorization: Bool
        /// Whether there is a second listener that asks for client certificates, and the metadata announces its
        /// endpoints in `mtls_endpoint_aliases` (RFC 8705 section 5). Needs a ``certificate``.
        public var offersMutualTLS: Bool
        /// `Cache-Control` of the metadata and of the key set; nil: none.
        public var documentCacheControl: String?
        /// Whether the key set has keys of other kinds under the same `kid`, as FAPI 2.0's suite does it: a client must
        /// choose by `kid` and `alg` together.
        public var publishesDecoyKeys: Bool
        /// Whether RSA keys come from a few that all providers of this process share, since one takes a tenth of a
        /// second to find. Rotation takes the next of them.
        public var sharesKeys: Bool

        /// Makes a configuration.
        public init(
            host: String = "127.0.0.1",
            port: Int = 0,
            issuerHost: String? = nil,
            certificate: DevelopmentCertificate? = nil,
            clients: [Client] = [],
            signingAlgorithm: SigningAlgorithm = .es256,
            people: [Person] = Person.mock,
            interaction: Interaction = .page,
            announcesIssuer: Bool = true,
            announcedClientAuthentication: [String] = ["client_secret_basic", "client_secret_post"],
            clock: any UnixClock = SystemUnixClock(),
            misbehavior: Misbehavior = .none,
            recordsRequests: Bool = true,
            responseTypes: [ResponseType] = [.code, .codeIDToken, .idToken],
            announcedClientAuthenticationAlgorithms: [String] = [
                "ES256", "RS256", "PS256", "EdDSA", "Ed25519", "HS256",
            ],
            requiresPushedAuthorization: Bool = false,
            offersMutualTLS: Bool = false,
            documentCacheControl: String? = nil,
            publishesDecoyKeys: Bool = false,
            sharesKeys: Bool = false
        ) {
            self.host = host
            self.port = port
            self.issuerHost = issuerHost
            self.certificate = certificate
            self.clients = clients
            self.signingAlgorithm = signingAlgorithm
            self.people = people
            self.interaction = interaction
            self.announcesIssuer = announcesIssuer
            self.announcedClientAuthentication = announcedClientAuthentication
            self.clock = clock
            self.misbehavior = misbehavior
            self.recordsRequests = recordsRequests
            self.responseTypes = responseTypes
            self.announcedClientAuthenticationAlgorithms = announcedClientAuthenticationAlgorithms
            self.requiresPushedAuthorization = requiresPushedAuthorization
            self.offersMutualTLS = offersMutualTLS
            self.documentCacheControl = documentCacheControl
            self.publishesDecoyKeys = publishesDecoyKeys
            self.sharesKeys = sharesKeys
        }

        /// Who signs in without being asked; `nil` if the pages ask, or where there is no such person.
        var automaticPerson: Person? {
            guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
            return people[index]
        }
    }
}
