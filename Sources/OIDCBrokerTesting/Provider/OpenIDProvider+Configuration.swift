// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

extension OpenIDProvider {
    /// How a user completes the authorization endpoint.
    public enum Interaction: Sendable, Hashable {
        /// A login page, then a consent page.
        case page
        /// Without interaction: the user with this index in `people` signs in and consents. With
        /// `response_mode=form_post` the response is still a page with a button, since it contains a form.
        case automatic(Int)
    }

    /// The configuration of a provider. Every member has a default. The members of ``ProviderSettings`` are its own too.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        var common: ProviderSettings<Person, Misbehavior>
        /// The registered clients. ``OpenIDProvider/allow(redirectURI:forClient:)`` adds redirect URIs whose ports are
        /// not known yet.
        public var clients: [Client]
        /// Whether authorization responses contain `iss` and the metadata announces that (RFC 9207).
        public var announcesIssuer = true
        /// The `token_endpoint_auth_methods_supported` in the metadata; empty to omit the member.
        public var announcedClientAuthentication: [String] = ["client_secret_basic", "client_secret_post"]
        /// The supported response types, which the metadata announces.
        public var responseTypes: [ResponseType] = [.code, .codeIDToken, .idToken]
        /// The `token_endpoint_auth_signing_alg_values_supported` in the metadata. The member is omitted if no method
        /// with signatures is announced.
        public var announcedClientAuthenticationAlgorithms: [String] = [
            "ES256", "RS256", "PS256", "EdDSA", "Ed25519", "HS256",
        ]
        /// Whether authorization requests must be pushed (RFC 9126 section 5). They may always be.
        public var requiresPushedAuthorization = false
        /// Whether authorization requests must be request objects, signed by one of the client's keys (RFC 9101 section
        /// 10.5). A client with keys may always sign them.
        public var requiresSignedRequestObject = false
        /// Whether a second listener requests client certificates and the metadata announces its endpoints in
        /// `mtls_endpoint_aliases` (RFC 8705 section 5). This requires a `certificate`.
        public var offersMutualTLS = false
        /// Whether servers reach the provider at another address than browsers, as inside a cluster: at a second listener
        /// without TLS, which serves the metadata and all endpoints except those for browsers.
        package var hasInnerName = false
        /// Whether a sign-in by ``OpenIDProvider/Interaction/automatic(_:)`` begins a session of the browser, which lives for
        /// an hour, so that `prompt=none` succeeds there afterward.
        public var keepsSessions = false
        /// Whether there is an end session endpoint, which demands an ID token of the client as the hint.
        package var endsSessions = false
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
            common = ProviderSettings(
                people: Person.mock, signingAlgorithm: .es256, certificate: certificate, interaction: interaction,
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
