// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

/// The configuration of a broker, its providers and its apps: the keys under `auth.`.
///
/// Build it in code, or read it with ``init(config:accesses:sdkAppAudiences:)`` from the environment or a file. The reading
/// initializer and `Broker` validate it; ``validate()`` does so earlier.
public struct BrokerConfiguration: Sendable, Hashable {
    /// The URL that browsers use for the broker: `auth.public-url`.
    public var publicURL: PublicURL
    /// The prefix of every path of the broker, without a slash at its end: `auth.path-prefix`.
    public var pathPrefix = BrokerConfiguration.defaultPathPrefix
    /// Whether the metadata are also at the well-known paths before the prefix, which are outside of it (RFC 8414 section 3.1):
    /// `auth.well-known-paths`. In code and where an embedding server reads the configuration they are not, unless it is set.
    public var wellKnownPaths = false
    /// The sealing keys, each 32 bytes in base64, newest first: `auth.sealing-keys`. The first one seals; all of them
    /// open.
    public var sealingKeys: [Secret] = []
    /// The private keys that sign ID tokens, as PEM, at most 16: `auth.signing-keys`. Each is a P-256 key for ES256 or an
    /// RSA key of 2048 to 4096 bits for RS256. The first key of each algorithm signs; the public keys of all are published.
    public var signingKeys: [Secret] = []
    /// The private keys that sign access tokens for ``resources``, as PEM, at most 16: `auth.resource-signing-keys`.
    /// They differ from ``signingKeys``, and the first one, which signs, is for an algorithm of these.
    public var resourceSigningKeys: [Secret] = []
    /// The providers: `auth.providers` and `auth.provider.<name>.…`.
    public var providers: [Provider]
    /// The apps: `auth.apps` and `auth.app.<name>.…`.
    public var apps: [App]
    /// The APIs of the apps: `auth.resources` and `auth.resource.<name>.…`.
    public var resources: [Resource] = []
    /// The client IDs of SDK apps. No app and no provider of the broker may have the same. With one of Apple, the Apple
    /// provider needs no Services ID. A server with accounts sets this, and must set it again at each reload.
    public var sdkAppAudiences: [NativeAudience] = []
    /// Whether SDK apps are configured beside the broker's apps, so that ``apps`` may be empty.
    package var hasSDKApps = false
    /// The webhook that receives the notifications of providers: `auth.webhook.…`; `nil` for none, or if the embedding
    /// server has its own handler.
    public var webhook: Webhook?
    /// The name, links and colors of the pages that users see: `auth.branding.…`.
    public var branding = Branding()
    /// The file served byte for byte at `/.well-known/apple-developer-domain-association.txt`; `nil` if there is none:
    /// `auth.apple-domain-association`.
    public var appleDomainAssociation: [UInt8]?
    /// The maximum size of the store in memory, in bytes: `auth.store-bytes`. Only the start reads it, not a reload. It has
    /// no effect with another store.
    public var storeBytes = 134_217_728
    /// Warnings about a valid configuration, without secrets. They are logged at the start.
    public internal(set) var warnings: [String] = []
    /// The files with secrets that users other than the owner and the group can read or write. They are logged at the
    /// start, and are errors for `check-config --strict`.
    public internal(set) var exposedSecretFiles: [ConfigurationError] = []

    /// Whether ``makeMissingKeys()`` made the sealing key.
    var hasMadeSealingKey = false
    /// Whether ``makeMissingKeys()`` made the signing key.
    var hasMadeSigningKey = false
    /// Whether ``makeMissingKeys()`` made the key that signs access tokens for resources.
    var hasMadeResourceSigningKey = false

    /// The default of ``pathPrefix``.
    public static let defaultPathPrefix = "/__/auth"

    /// The sizes that ``storeBytes`` may have: those of an in-memory store.
    package static let allowedStoreBytes = 8_388_608...68_719_476_736

    /// The default of ``Provider/appParameters``: the parameters that an app may pass to a provider.
    public static let defaultAppParameters = [
        "login_hint", "ui_locales", "prompt", "max_age", "acr_values", "language", "locale", "hd", "domain_hint",
    ]

    /// Creates a configuration in code. With a loopback public URL, both keys may be left out; ``makeMissingKeys()`` makes
    /// them.
    public init(publicURL: PublicURL, providers: [Provider], apps: [App]) {
        self.publicURL = publicURL
        self.providers = providers
        self.apps = apps
    }

    /// The issuer that apps use: the public URL followed by the prefix.
    public var issuer: String { publicURL.origin + pathPrefix }

    /// The path of the shared callback URL.
    public var handlerPath: String { pathPrefix + "/handler" }

    /// The paths of the broker's own endpoints. The callback path of a provider must differ from all of them.
    package var endpointPaths: [String] {
        EndpointPath.allCases.filter { $0 != .callback }.map { pathPrefix + $0.rawValue }
            + providers.flatMap { [notificationPath(provider: $0.name), clientKeySetPath(provider: $0.name)] }
            + [Self.appleDomainAssociationPath]
            + metadataPaths
    }

    /// The paths outside of the prefix at which the metadata are too: that of an authorization server (RFC 8414 section
    /// 3.1), and that of an OpenID Provider, where clients of the Model Context Protocol look before they append it.
    package var metadataPaths: [String] {
        guard wellKnownPaths else { return [] }
        return ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"].map { $0 + pathPrefix }
    }

    /// Returns the path that a provider posts its notifications to.
    package func notificationPath(provider name: String) -> String { pathPrefix + "/notifications/" + name }

    /// Returns the path of the public keys of this broker as a client of a provider, for one that fetches them.
    package func clientKeySetPath(provider name: String) -> String { pathPrefix + "/clients/" + name + "/jwks" }

    /// The path at which Apple requests ``appleDomainAssociation``.
    package static let appleDomainAssociationPath = "/.well-known/apple-developer-domain-association.txt"
}
