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
        public var host = "127.0.0.1"
        /// The port to listen on; 0 takes a free one.
        public var port = 0
        /// The host in the issuer and so in every URL of the metadata; `nil` if it is ``host``.
        public var issuerHost: String?
        /// The certificate for TLS; `nil` for plain http, which a client accepts only from a loopback issuer.
        public var certificate: DevelopmentCertificate?
        /// The registered clients. ``OpenIDProvider/allow(redirectURI:forClient:)`` adds redirect URIs whose ports are
        /// not known yet.
        public var clients: [Client]
        /// The signature algorithm of ID tokens.
        public var signingAlgorithm: SigningAlgorithm = .es256
        /// The people who can sign in.
        public var people: [Person] = Person.mock
        /// How a person completes the authorization endpoint.
        public var interaction: Interaction
        /// Whether authorization responses contain `iss` and the metadata announces that (RFC 9207).
        public var announcesIssuer = true
        /// The `token_endpoint_auth_methods_supported` in the metadata; empty to omit the member.
        public var announcedClientAuthentication: [String] = ["client_secret_basic", "client_secret_post"]
        /// The clock for all times that are issued or validated.
        public var clock: any UnixClock = SystemUnixClock()
        /// The initial misbehavior; ``OpenIDProvider/set(_:)`` changes it.
        public var misbehavior: Misbehavior
        /// Whether requests are kept for ``OpenIDProvider/recordedRequests()``. Benchmarks switch this off.
        public var recordsRequests = true
        /// The supported response types, which the metadata announces.
        public var responseTypes: [ResponseType] = [.code, .codeIDToken, .idToken]
        /// The `token_endpoint_auth_signing_alg_values_supported` in the metadata. The member is omitted if no method
        /// with signatures is announced.
        public var announcedClientAuthenticationAlgorithms: [String] = [
            "ES256", "RS256", "PS256", "EdDSA", "Ed25519", "HS256",
        ]
        /// Whether authorization requests must be pushed (RFC 9126 section 5). They may always be.
        public var requiresPushedAuthorization = false
        /// Whether a second listener requests client certificates and the metadata announces its endpoints in
        /// `mtls_endpoint_aliases` (RFC 8705 section 5). This requires a ``certificate``.
        public var offersMutualTLS = false
        /// The `Cache-Control` of the metadata and of the key set; `nil` for none.
        public var documentCacheControl: String?
        /// Whether the key set contains keys of other kinds with the same `kid`, as in the suite's FAPI 2.0 plan: a
        /// client must select by both `kid` and `alg`.
        public var publishesDecoyKeys = false
        /// Whether RSA keys are taken from a few that all providers of this process share, since generating one is
        /// slow. A rotation uses the next of them.
        public var sharesKeys = false

        /// Creates a configuration.
        public init(
            clients: [Client] = [],
            certificate: DevelopmentCertificate? = nil,
            interaction: Interaction = .page,
            misbehavior: Misbehavior = .none
        ) {
            self.clients = clients
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
