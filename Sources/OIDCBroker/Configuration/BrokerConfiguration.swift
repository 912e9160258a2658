// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

/// What a broker is told about itself, its providers and its apps: the keys under `auth.`.
///
/// A plain value: build it in code, or read it with ``init(config:accesses:)``. Nothing is validated before
/// ``validate()``, which the reading initialiser and `Broker` call themselves.
public struct BrokerConfiguration: Sendable, Hashable {
    /// `auth.public-url`: where browsers reach the broker.
    public var publicURL: PublicURL
    /// `auth.path-prefix`: what every path of the broker begins with; no slash at its end.
    public var pathPrefix: String
    /// `auth.sealing-keys`: base64 of 32 bytes each, newest first. Only the first seals; all of them open.
    public var sealingKeys: [Secret]
    /// `auth.signing-key`: the PEM text of a P-256 private key (PKCS#8 or SEC1); signs ID tokens and nothing else.
    public var signingKey: Secret?
    /// `auth.providers` and `auth.provider.<name>.…`.
    public var providers: [Provider]
    /// `auth.apps` and `auth.app.<name>.…`.
    public var apps: [App]
    /// `auth.webhook.…`: where notifications of providers go; nil: nowhere, or to the embedder's own handler.
    public var webhook: Webhook?
    /// `auth.apple-domain-association`: what stands at `/.well-known/apple-developer-domain-association.txt`, byte for
    /// byte; nil: nothing does.
    public var appleDomainAssociation: [UInt8]?
    /// `auth.store-bytes`: what the store in memory takes when it is full, bytes; read when the broker is made, and not
    /// when it is reloaded. Means nothing where the broker is given a store.
    public var storeBytes: Int
    /// What an operator should know although nothing is wrong; no secrets. Logged at start.
    public internal(set) var warnings: [String] = []
    /// The files with secrets that others than their owner and his group can read or write. Logged at start, and wrong for
    /// `check-config --strict`.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// The default of ``pathPrefix``.
    public static let defaultPathPrefix = "/__/auth"

    /// The default of ``Provider/appParameters``: what an app may pass on to a provider.
    public static let defaultAppParameters = [
        "login_hint", "ui_locales", "prompt", "max_age", "acr_values", "language", "locale", "hd", "domain_hint",
    ]

    /// A configuration built in code. Leave both keys out only for a loopback public URL, and call
    /// ``makeMissingKeys()`` then.
    public init(
        publicURL: PublicURL,
        pathPrefix: String = BrokerConfiguration.defaultPathPrefix,
        sealingKeys: [Secret] = [],
        signingKey: Secret? = nil,
        providers: [Provider],
        apps: [App],
        webhook: Webhook? = nil,
        appleDomainAssociation: [UInt8]? = nil,
        storeBytes: Int = InMemorySingleUseStore.defaultBytes
    ) {
        self.publicURL = publicURL
        self.pathPrefix = pathPrefix
        self.sealingKeys = sealingKeys
        self.signingKey = signingKey
        self.providers = providers
        self.apps = apps
        self.webhook = webhook
        self.appleDomainAssociation = appleDomainAssociation
        self.storeBytes = storeBytes
    }

    /// The broker's issuer toward apps: public URL and prefix.
    public var issuer: String { publicURL.origin + pathPrefix }

    /// The path of the shared callback URL.
    public var handlerPath: String { pathPrefix + "/handler" }

    /// The paths of the broker's own endpoints, which no provider may have for its callback path.
    package var endpointPaths: [String] {
        EndpointPath.allCases.filter { $0 != .callback }.map { pathPrefix + $0.rawValue }
            + providers.map { notificationPath(provider: $0.name) } + [Self.appleDomainAssociationPath]
    }

    /// The path that a provider posts its notifications to.
    package func notificationPath(provider name: String) -> String { pathPrefix + "/notifications/" + name }

    /// Where Apple looks for ``appleDomainAssociation``.
    package static let appleDomainAssociationPath = "/.well-known/apple-developer-domain-association.txt"
}
