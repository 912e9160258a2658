// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect
public import OpenIDRelyingParty

extension OpenIDProvider {
    /// How a person completes the authorization endpoint.
    public enum Interaction: Sendable, Hashable {
        /// A login page, then a consent page.
        case page
        /// Without interaction: the person with this index in ``OpenIDProvider/Configuration/people`` signs in and
        /// consents. With `response_mode=form_post` the response is still a page with a button, since it contains a
        /// form.
        case automatic(Int)
    }

    /// The configuration of a provider. Every member has a default.
    public struct Configuration: Sendable {
        /// The host or address to listen on.
        public var host: String
        /// The port to listen on; 0 takes a free one.
        public var port: Int
        /// The host in the issuer and so in every URL of the metadata; `nil` if it is ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; `nil` for plain http, which a client accepts only from a loopback issuer.
        public var certificate: DevelopmentCertificate?
        /// The registered clients. ``OpenIDProvider/allow(redirectURI:forClient:)`` adds redirect URIs whose ports are
        /// not known yet.
        public var clients: [Client]
        /// The signature algorithm of ID tokens.
        public var signingAlgorithm: SigningAlgorithm
        /// The people who can sign in.
        public var people: [Person]
        /// How a person completes the authorization endpoint.
        public var interaction: Interaction
        /// Whether authorization responses contain `iss` and the metadata announces that (RFC 9207).
        public var announcesIssuer: Bool
        /// The `token_endpoint_auth_methods_supported` in the metadata; empty to omit the member.
        public var announcedClientAuthentication: [String]
        /// The clock for all times that are issued or validated.
        public var clock: any UnixClock
        /// The initial misbehavior; ``OpenIDProvider/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``OpenIDProvider/recordedRequests()``. Benchmarks switch this off.
        public var recordsRequests: Bool
        /// The supported response types, which the metadata announces.
        public var responseTypes: [ResponseType]
        /// The `token_endpoint_auth_signing_alg_values_supported` in the metadata. The member is omitted if no method
        /// with signatures is announced.
        public var announcedClientAuthenticationAlgorithms: [String]
        /// Whether authorization requests must be pushed (RFC 9126 section 5). They may always be.
        public var requiresPushedAuthorization: Bool
        /// Whether a second listener requests client certificates and the metadata announces its endpoints in
        /// `mtls_endpoint_aliases` (RFC 8705 section 5). This requires a ``certificate``.
        public var offersMutualTLS: Bool
        /// The `Cache-Control` of the metadata and of the key set; `nil` for none.
        public var documentCacheControl: String?
        /// Whether the key set contains keys of other kinds with the same `kid`, as in the suite's FAPI 2.0 plan: a
        /// client must select by both `kid` and `alg`.
        public var publishesDecoyKeys: Bool
        /// Whether RSA keys are taken from a few that all providers of this process share, since generating one takes a
        /// tenth of a second. A rotation uses the next of them.
        public var sharesKeys: Bool

        /// Creates a configuration.
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

        /// The person who signs in without interaction; `nil` if the pages ask, or there is no such person.
        var automaticPerson: Person? {
            guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
            return people[index]
        }
    }
}
