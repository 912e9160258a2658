// SPDX-License-Identifier: Apache-2.0

import JOSE
import Metrics
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import Signing

/// The immutable state of a configuration that requests use, which is created once for each configuration.
final class BrokerSnapshot: Sendable {
    let configuration: BrokerConfiguration
    let issuer: String
    let paths: BrokerPaths
    /// What lines about requests may show as their path.
    let accessPaths: AccessLogPaths
    let providers: [ProviderEntry]
    /// Whether callbacks of several providers may come.
    let hasSeveralWebFlows: Bool
    /// Whether a provider is told of the spans of requests to it, sampled or not.
    let tellsProvidersOfSpans: Bool
    let sealer: StateSealer
    let cookie: LoginCookie
    let signOutCookie: SignOutCookie
    let signingKeys: SigningKeys
    /// The keys that sign access tokens for APIs; `nil` if there are none.
    let resourceSigningKeys: SigningKeys?
    let discoveryDocument: PublicDocument
    let keySetDocument: PublicDocument
    /// The callback paths of the providers whose responses are in a fragment.
    let fragmentPaths: Set<WireText>
    /// The operator's branding.
    let theme: PageTheme
    /// The pages for requests over a limit.
    let refusalPages = RefusalPages()
    /// The providers that post notifications, by path.
    let notifiers: [WireText: ProviderEntry]
    /// The public keys of the broker as a client of providers, by path.
    let clientKeySets: [WireText: PublicDocument]
    /// The apps of kind `in-process`, by the path at which their logins begin.
    let loginsByPath: [WireText: AppEntry]
    /// The webhook for notifications; `nil` if there is none.
    let webhook: PreparedWebhook?
    /// The client IDs of the apps whose refresh tokens outlive a session at the provider.
    let appsThatOutliveLogout: Set<String>
    /// What responds beside the broker, under this configuration.
    let extensions: BrokerExtensions
    private let providersByName: [WireText: ProviderEntry]
    private let providersByID: [WireText: ProviderEntry]
    private let appsByClientID: [WireText: AppEntry]
    private let appsByName: [WireText: AppEntry]

    /// Validates the configuration as a whole and prepares it.
    /// - Parameters:
    ///   - previous: The snapshot whose relying parties, with their caches, are kept for unchanged providers.
    ///   - extensions: What responds beside the broker, before it was configured.
    ///   - metricsFactory: What makes the gauges of providers' behavior; `nil` for the one that is bootstrapped.
    init(
        _ configuration: BrokerConfiguration,
        previous: BrokerSnapshot?,
        signInHandlers: [String: SignInHandler] = [:],
        hasNotificationHandler: Bool = false,
        extensions: BrokerExtensions = BrokerExtensions(),
        metricsFactory: (any MetricsFactory)? = nil,
        makeKeySet: (_ url: AbsoluteURL, _ certificateAuthorities: [UInt8]?) -> RemoteKeySet,
        makeRelyingParty: (_ configuration: ProviderConfiguration, _ provider: String) -> RelyingParty
    ) throws(BrokerConfigurationError) {
        let signingKeys = SigningKeys(pem: configuration.signingKeys)
        var errors =
            configuration.validate(with: signingKeys) + configuration.errors(handled: Set(signInHandlers.keys))
            + configuration.errors(decidesSignIns: extensions.decider != nil)
            + configuration.errors(
                receivesNotifications: hasNotificationHandler || !extensions.notifications.isEmpty)
        let resourceSigningKeys = SigningKeys(pem: configuration.resourceSigningKeys)
        if errors.isEmpty, resourceSigningKeys == nil, !configuration.resources.isEmpty {
            errors.append(
                BrokerConfiguration.error(
                    \.resourceSigningKeys, prefix: BrokerConfiguration.prefix, expected: "at least one key"))
        }
        let keys = configuration.sealingKeys.compactMap { Base64.decode($0.exposed) }.map { LoginKeys(sealingKey: $0) }
        if errors.isEmpty, keys.isEmpty {
            errors.append(
                BrokerConfiguration.error(
                    \.sealingKeys, prefix: BrokerConfiguration.prefix, expected: "at least one key"))
        }
        guard errors.isEmpty, let signingKeys else {
            if signingKeys == nil, errors.isEmpty {
                errors.append(
                    BrokerConfiguration.error(
                        \.signingKeys, prefix: BrokerConfiguration.prefix, expected: "at least one key"))
            }
            throw BrokerConfigurationError(errors: errors)
        }
        self.configuration = configuration
        issuer = configuration.issuer
        let handlerPath = configuration.handlerPath
        paths = BrokerPaths(
            prefix: configuration.pathPrefix, callbacks: Set(configuration.providers.compactMap(\.callbackPath)),
            metadata: configuration.metadataPaths,
            others: configuration.appleDomainAssociation == nil
                ? [] : [BrokerConfiguration.appleDomainAssociationPath])
        accessPaths = AccessLogPaths(paths, configuration)
        sealer = StateSealer(keys: keys, issuer: configuration.issuer)
        cookie = LoginCookie(publicURL: configuration.publicURL)
        signOutCookie = SignOutCookie(publicURL: configuration.publicURL, path: paths[.logout])
        self.signingKeys = signingKeys
        self.resourceSigningKeys = resourceSigningKeys

        var seenPaths: Set<String> = []
        // A provider without a client ID has no records.
        let issuers = Set(
            configuration.providers.map(\.configuration).filter { !$0.clientID.isEmpty }.map { Array($0.issuer.utf8) })
        providers = configuration.providers.enumerated().map { position, provider in
            let path = provider.callbackPath ?? handlerPath
            let redirectURI = configuration.publicURL.origin + path
            let known = previous?.providers.first {
                $0.configuration.isSame(but: provider) && $0.relyingParty.configuration.redirectURI == redirectURI
            }
            known?.replaceKey(by: provider)
            let behavior = known?.behavior ?? provider.makeBehavior(metricsFactory: metricsFactory)
            let relyingParty =
                known?.relyingParty
                ?? makeRelyingParty(
                    provider.relyingPartyConfiguration(
                        redirectURI: redirectURI, clientSecret: behavior.clientSecret), provider.id)
            return ProviderEntry(
                provider, at: position, relyingParty: relyingParty, behavior: behavior, callbackPath: path,
                mustAnnounceIssuer: !seenPaths.insert(path).inserted, isOnlyIssuer: issuers.count < 2)
        }
        hasSeveralWebFlows = providers.count(where: { $0.hasWebFlow }) > 1
        providersByName = Dictionary(providers.map { (WireText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        providersByID = Dictionary(providers.map { (WireText($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        notifiers = Dictionary(
            providers.filter { $0.behavior.postsNotifications || $0.configuration.backChannelLogout }.map {
                (WireText(configuration.notificationPath(provider: $0.name)), $0)
            },
            uniquingKeysWith: { first, _ in first })
        clientKeySets = Dictionary(
            providers.compactMap { provider in
                provider.relyingParty.publicKeySet.map {
                    (
                        WireText(configuration.clientKeySetPath(provider: provider.name)),
                        PublicDocument(ByteBuffer(bytes: $0))
                    )
                }
            },
            uniquingKeysWith: { first, _ in first })
        tellsProvidersOfSpans = providers.contains { $0.relyingParty.configuration.traceContext }
        webhook = PreparedWebhook(configuration.webhook)
        fragmentPaths = Set(
            providers.filter { $0.relyingParty.configuration.responseMode.carrier == .fragment }.map {
                WireText($0.callbackPath)
            })
        theme = PageTheme(configuration.branding, host: configuration.publicURL.host)
        let apps = configuration.apps.map { app in
            AppEntry(
                app, signingKey: signingKeys.key(for: app.idTokenAlgorithm) ?? signingKeys.defaultKey,
                origin: configuration.publicURL.origin, handler: signInHandlers[app.name],
                keys: Self.keys(of: app, previous: previous, makeKeySet),
                resources: AppResources(
                    of: app, among: configuration.resources, signedBy: resourceSigningKeys?.signing),
                hasProviderClaims: configuration.providers.contains { provider in
                    !provider.claims.isEmpty && app.providers.map { $0.contains(provider.name) } ?? true
                })
        }
        // An app of kind `in-process` is not a client of the endpoints.
        appsByClientID = Dictionary(
            apps.filter { $0.configuration.kind == .oidc }.map { (WireText($0.clientID), $0) },
            uniquingKeysWith: { first, _ in first })
        loginsByPath = Dictionary(
            apps.filter { $0.configuration.kind == .inProcess }.map { [paths] app in
                (WireText(paths.login(app: app.configuration.name)), app)
            }, uniquingKeysWith: { first, _ in first })
        appsByName = Dictionary(
            apps.map { (WireText($0.configuration.name), $0) }, uniquingKeysWith: { first, _ in first })
        appsThatOutliveLogout = Set(
            configuration.apps.filter { $0.refreshTokens && $0.refreshTokensOutliveLogout }.map(\.clientID))
        let discovery = DiscoveryDocument.make(
            issuer: issuer, paths: paths, origin: configuration.publicURL.origin, algorithms: signingKeys.algorithms,
            scopes: providers.flatMap(\.scopes), claims: DiscoveryDocument.claims(of: configuration),
            hasRefreshTokens: configuration.apps.contains { $0.refreshTokens },
            hasBackChannelLogout: configuration.hasBackChannelLogout,
            resources: configuration.resources.map(\.identifier))
        discoveryDocument = PublicDocument(ByteBuffer(bytes: discovery))
        keySetDocument = PublicDocument(
            ByteBuffer(bytes: SigningKeys.keySetDocument(of: signingKeys.all + (resourceSigningKeys?.all ?? []))))
        // Nothing fails from here on: no extension is told of a configuration that is refused.
        self.extensions = extensions.configured(by: configuration)
    }

    /// Returns the keys of an app. Those at a URL are kept with their cache if the URL and
    /// the certificate authorities are the same as before.
    private static func keys(
        of app: BrokerConfiguration.App, previous: BrokerSnapshot?,
        _ makeKeySet: (AbsoluteURL, [UInt8]?) -> RemoteKeySet
    ) -> AppKeys? {
        if let text = app.clientKeys { return BrokerConfiguration.App.keySet(text).map { .fixed($0) } }
        guard let url = app.jwksURI.flatMap({ AbsoluteURL($0) }) else { return nil }
        if case .remote(let known) = previous?.app(name: app.name)?.keys, known.url.text.hasSameBytes(as: url.text),
            known.certificateAuthorities == app.certificateAuthorities
        {
            return .remote(known)
        }
        return .remote(makeKeySet(url, app.certificateAuthorities))
    }

    /// The maximum length of a name or ID in a configuration, in bytes. Longer texts are not looked up.
    private static let longestName = 256

    /// Returns an app by its client ID.
    func app(clientID: WireText) -> AppEntry? {
        clientID.utf8.count <= Self.longestName ? appsByClientID[clientID] : nil
    }

    /// Returns the app that alone has a URI for the end of a logout; `nil` if none has it, or several have.
    func onlyApp(postLogoutRedirectURI uri: WireText) -> AppEntry? {
        let apps = appsByClientID.values.filter { $0.postLogoutRedirectURI(uri) != nil }
        return apps.count == 1 ? apps.first : nil
    }

    /// Returns the provider with sign-ins in a browser that alone an app may use; `nil` if there are several, or none.
    func onlyProvider(of app: AppEntry) -> ProviderEntry? {
        let allowed = providers.filter { $0.hasWebFlow && app.mayUse($0.name) }
        return allowed.count == 1 ? allowed.first : nil
    }

    /// Returns whether an origin is that of any app.
    func hasApp(at origin: String) -> Bool { appsByClientID.values.contains { $0.hasOrigin(origin) } }

    /// Returns an app by its name in the configuration.
    func app(name: String) -> AppEntry? { appsByName[WireText(name)] }

    /// The app of a broker with a single one and without extensions, to which a page leads back where no app is known.
    var onlyApp: AppEntry? {
        guard appsByName.count == 1, extensions.routes.isEmpty else { return nil }
        return appsByName.values.first
    }

    /// Returns the extension that began a login, if the login may go on under this configuration.
    /// - Parameter provider: The name of the provider.
    func owner(of login: ExtensionLogin, at provider: String) -> (any LoginOwner)? {
        owner(of: login).flatMap { $0.accepts(login, at: provider) ? $0 : nil }
    }

    /// Returns the name on pages of the client of a login that belongs to an extension.
    func displayedName(of login: ExtensionLogin) -> String { login.displayedName(by: owner(of: login)) }

    private func owner(of login: ExtensionLogin) -> (any LoginOwner)? {
        extensions.logins.first { $0.loginPurpose == login.purpose }
    }

    /// Returns a provider by its name.
    func provider(name: String) -> ProviderEntry? { providersByName[WireText(name)] }

    /// Returns a provider by its name or ID, as an app may name it.
    func provider(named text: WireText) -> ProviderEntry? {
        guard text.utf8.count <= Self.longestName else { return nil }
        return providersByName[text] ?? providersByID[text]
    }
}
