// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import Admission
import SingleUse

/// An app of the configuration, prepared for requests.
final class AppEntry: Sendable {
    let configuration: BrokerConfiguration.App
    /// The key that signs the app's ID tokens.
    let signingKey: SigningKey
    let redirectURIs: [RedirectURI]
    /// The URIs to which the user agent is sent after a logout.
    private let postLogoutRedirectURIs: [RedirectURI]
    /// The SHA-256 hash of each redirect URI, which login state contains.
    private let redirectURIHashes: [[UInt8]]
    /// The names of the providers it may use; `nil` if it may use all.
    private let providers: Set<String>?
    /// The origins of the https redirect URIs and the further ones of the app, whose pages may read responses to the app.
    private let origins: Set<String>
    /// The hosts of the loopback redirect URIs, whose pages may read them too, from any port.
    private let loopbackHosts: Set<String>
    /// The keys with which the app authenticates; `nil` if it does not.
    let keys: AppKeys?
    /// The SHA-256 hashes of the client secrets, newest first; empty if there is none.
    private let secretHashes: [[UInt8]]

    /// The lifetime of the app's ID tokens, in seconds.
    let idTokenLifetime: Int64
    /// The lifetime of the app's access tokens, in seconds.
    let accessTokenLifetime: Int64

    /// What the app's refresh tokens may do; `nil` if it has none.
    let refreshTokens: RefreshTokenPolicy?
    /// How long a session lives that begins with a sign-in without a refresh token; `nil` if none begins, since the app
    /// would not hear of its end.
    let signInSessions: RefreshTokenPolicy?

    /// The APIs for which the app may get access tokens; `nil` if there are none.
    let resources: AppResources?

    /// The key by which stores count the records of the app.
    let share: SingleUseKey

    /// The handler of the sign-ins of an app of kind `in-process`; `nil` for any other app.
    let handler: SignInHandler?

    /// The limit on how often the app may ask; `nil` for none.
    let rate: TokenBucketRate?
    /// The key by which that is counted, whatever reloads change otherwise.
    let rateKey: RateKey

    /// - Parameters:
    ///   - origin: The broker's own origin, which an app of kind `in-process` has instead of redirect URIs.
    ///   - handler: The handler of the sign-ins of such an app.
    ///   - keys: The keys with which the app authenticates.
    ///   - resources: The APIs for which the app may get access tokens.
    ///   - hasProviderClaims: Whether a provider that the app may use has claims by which apps decide.
    init(
        _ configuration: BrokerConfiguration.App, signingKey: SigningKey, origin: String, handler: SignInHandler?,
        keys: AppKeys?, resources: AppResources?, hasProviderClaims: Bool
    ) {
        self.keys = keys
        self.resources = resources
        self.handler = handler
        rate = configuration.rate
        rateKey = RateKey(Hash.sha256(Array(configuration.name.utf8)))
        self.configuration = configuration
        self.signingKey = signingKey
        let uris = configuration.kind == .inProcess ? [origin + "/"] : configuration.redirectURIs
        redirectURIs = uris.compactMap { RedirectURI($0) }
        postLogoutRedirectURIs = configuration.postLogoutRedirectURIs.compactMap { RedirectURI($0) }
        redirectURIHashes = redirectURIs.map { Hash.sha256($0.text.utf8) }
        providers = configuration.providers.map(Set.init)
        origins = Set(
            redirectURIs.filter { $0.kind == .https }.compactMap { AbsoluteURL($0.text)?.origin }
                + configuration.webOrigins)
        loopbackHosts = Set(redirectURIs.filter { $0.kind == .loopback }.compactMap { AbsoluteURL($0.text)?.host })
        idTokenLifetime = configuration.idTokenLifetime.components.seconds
        accessTokenLifetime = configuration.accessTokenLifetime.components.seconds
        refreshTokens =
            configuration.refreshTokens
            ? RefreshTokenPolicy(
                configuration, isPublic: configuration.secrets.isEmpty && keys == nil,
                decidesByClaims: hasProviderClaims || !configuration.require.isEmpty) : nil
        signInSessions =
            configuration.backchannelLogoutURI == nil
            ? nil : RefreshTokenPolicy(ofSignInsWith: max(idTokenLifetime, accessTokenLifetime))
        share = .app(clientID: configuration.clientID)
        secretHashes = configuration.secrets.map { Hash.sha256($0.exposed.utf8) }
    }

    var clientID: String { configuration.clientID }
    var isPublic: Bool { secretHashes.isEmpty && keys == nil }

    /// Whether the app has sessions that are kept here.
    var hasSessions: Bool { refreshTokens != nil || signInSessions != nil }

    /// Returns whether the app may use a provider.
    func mayUse(_ provider: String) -> Bool {
        providers.map { $0.contains(provider) } ?? true
    }

    /// Returns the scopes that the app may ask for in a sign-in at a provider. That of a refresh token asks nothing of it.
    func scopes(at provider: ProviderEntry) -> [String] {
        guard refreshTokens != nil, !provider.scopes.contains("offline_access") else { return provider.scopes }
        return provider.scopes + ["offline_access"]
    }

    /// Returns the scopes of a refresh: those that are asked for, or else all that were granted. One that the app cannot get is
    /// ignored, as at the start: MSAL and requests-oauthlib ask each time for all that they asked for then. `nil` if one is
    /// more than what was granted (RFC 6749 section 6).
    func scopes(_ asked: [String]?, of session: KeptAppSession, in snapshot: BrokerSnapshot) -> GrantedScopes? {
        let granted = GrantedScopes(text: session.scope)
        guard let asked else { return granted }
        let known = snapshot.provider(named: WireText(session.providerID)).map { scopes(at: $0) } ?? []
        return granted.narrowed(to: asked, known: known)
    }

    /// Returns whether an origin is one of the app, or that of a redirect URI, except for the port of a loopback one (RFC
    /// 8252 section 7.3).
    func hasOrigin(_ origin: String) -> Bool {
        if origins.contains(origin) { return true }
        guard !loopbackHosts.isEmpty, let url = AbsoluteURL(origin), url.scheme == "http", url.origin == origin else {
            return false
        }
        return loopbackHosts.contains(url.host)
    }

    /// Returns the redirect URI that an app sent; `nil` if it is not one of the app's.
    func redirectURI(_ sent: WireText) -> RedirectURI? {
        // It is nearly always one of the configured texts, which need not be parsed again.
        if let known = redirectURIs.first(where: { sent.hasSameBytes(as: $0.text) }) { return known }
        guard let sent = sent.ascii(atMost: RedirectURI.maximumLength).flatMap(RedirectURI.init) else { return nil }
        return redirectURIs.contains { $0.matches(sent) } ? sent : nil
    }

    /// Returns what is wrong with a redirect URI that is not one of the app's, with the nearest one that is: the one with
    /// the most bytes in common at both ends.
    func redirectURIReason(_ sent: WireText) -> String {
        let bytes = sent.utf8.prefix(RedirectURI.maximumLength)
        let nearest = redirectURIs.map(\.text).max { Self.common($0, bytes) < Self.common($1, bytes) }
        guard let nearest else { return "redirect_uri is not registered" }
        let slash = UInt8(ascii: "/")
        let mend =
            if bytes.last == slash, bytes.dropLast().elementsEqual(nearest.utf8) {
                ", without the slash at the end"
            } else if nearest.utf8.last == slash, nearest.utf8.dropLast().elementsEqual(bytes) {
                ", with a slash at the end"
            } else {
                ""
            }
        return "redirect_uri is not registered; the nearest registered one is \(nearest)\(mend)"
    }

    /// Returns the number of bytes that two texts have in common at their beginning and at their end.
    private static func common(_ text: String, _ sent: some BidirectionalCollection<UInt8>) -> Int {
        let first = zip(text.utf8, sent).prefix { $0 == $1 }.count
        let ends = zip(text.utf8.dropFirst(first).reversed(), sent.dropFirst(first).reversed())
        return first + ends.prefix { $0 == $1 }.count
    }

    /// Returns the URI of a logout request, with its port if it is a loopback one; `nil` if it is not one of the app's.
    func postLogoutRedirectURI(_ sent: WireText) -> RedirectURI? {
        guard let sent = sent.ascii(atMost: RedirectURI.maximumLength).flatMap(RedirectURI.init) else { return nil }
        return postLogoutRedirectURIs.contains { $0.matches(sent) } ? sent : nil
    }

    /// Returns the SHA-256 hash of a redirect URI of the app, 32 bytes.
    func hash(of redirectURI: RedirectURI) -> [UInt8] {
        for (uri, hash) in zip(redirectURIs, redirectURIHashes) where uri.text.hasSameBytes(as: redirectURI.text) {
            return hash
        }
        return Hash.sha256(redirectURI.text.utf8)
    }

    /// Returns the redirect URI with which a login began, by its hash and port; `nil` if it is no longer the app's.
    func redirectURI(hash: [UInt8], loopbackPort: UInt16) -> RedirectURI? {
        for (uri, known) in zip(redirectURIs, redirectURIHashes) {
            if ConstantTime.equal(known, hash) { return uri }
            guard uri.kind == .loopback else { continue }
            let text = uri.replacingPort(loopbackPort)
            if ConstantTime.equal(Hash.sha256(text.utf8), hash) { return RedirectURI(text) }
        }
        return nil
    }

    /// Returns whether a secret is one of the app's, compared in constant time; `false` for a public app.
    func isSecret(_ sent: WireText) -> Bool {
        guard !secretHashes.isEmpty else { return false }
        let hash = Hash.sha256(sent.utf8)
        // Each is compared, so that the time does not depend on which one matches.
        return secretHashes.reduce(false) { ConstantTime.equal(hash, $1) || $0 }
    }
}

extension RefreshTokenPolicy {
    /// The absolute lifetime of the sessions of an app whose configuration has none: 90 days.
    private static let usualLifetime: Int64 = 90 * 86_400
    /// The same of an app that decides by claims: a refresh asks no provider, so what it says of a group is as old as the
    /// newest sign-in.
    private static let lifetimeOfClaims: Int64 = 12 * 3600

    /// The lifetime of a session without a refresh token, in seconds, unless a token lives longer: 12 hours.
    private static let signInLifetime: Int64 = 43_200

    /// The policy of sessions without a refresh token, which end with the tokens, but not sooner than apps keep their own.
    fileprivate init(ofSignInsWith tokenLifetime: Int64) {
        let lifetime = max(tokenLifetime, Self.signInLifetime)
        self.init(idleLifetime: lifetime, lifetime: lifetime, rotates: false, repetition: 0)
    }

    fileprivate init(_ app: BrokerConfiguration.App, isPublic: Bool, decidesByClaims: Bool) {
        self.init(
            idleLifetime: app.refreshTokenIdleLifetime.components.seconds,
            lifetime: app.refreshTokenLifetime?.components.seconds
                ?? (decidesByClaims ? Self.lifetimeOfClaims : Self.usualLifetime),
            rotates: isPublic || app.rotateRefreshTokens, repetition: app.refreshTokenRepetition.components.seconds,
            requiresClaims: decidesByClaims)
    }
}
