// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// An app, prepared for requests.
final class AppEntry: Sendable {
    let configuration: BrokerConfiguration.App
    let redirectURIs: [RedirectURI]
    /// SHA-256 of each, as login state carries it.
    private let redirectURIHashes: [[UInt8]]
    /// The names of the providers it may use; `nil` if it may use all.
    private let providers: Set<String>?
    /// The origins of its https redirect URIs: who may read the token endpoint's answer in a browser.
    let origins: Set<String>
    /// SHA-256 of the client secret; nil for a public app.
    private let secretHash: [UInt8]?

    init(_ configuration: BrokerConfiguration.App) {
        self.configuration = configuration
        redirectURIs = configuration.redirectURIs.compactMap { RedirectURI($0) }
        redirectURIHashes = redirectURIs.map { Hash.sha256($0.text.utf8) }
        providers = configuration.providers.map(Set.init)
        origins = Set(
            redirectURIs.filter { $0.kind == .https }.compactMap { AbsoluteURL($0.text)?.origin })
        secretHash = configuration.clientSecret.map { Hash.sha256($0.exposed.utf8) }
    }

    var clientID: String { configuration.clientID }
    var isPublic: Bool { secretHash == nil }

    /// Whether the app may use that provider.
    func mayUse(_ provider: String) -> Bool {
        providers.map { $0.contains(provider) } ?? true
    }

    /// The redirect URI an app sent, if it is one of the app's.
    func redirectURI(_ sent: WireText) -> RedirectURI? {
        // Nearly always the very text: no need to read it again.
        if let known = redirectURIs.first(where: { sent.hasSameBytes(as: $0.text) }) { return known }
        guard let sent = sent.ascii(atMost: RedirectURI.maximumLength).flatMap(RedirectURI.init) else { return nil }
        return redirectURIs.contains { $0.matches(sent) } ? sent : nil
    }

    /// SHA-256 of a redirect URI of the app, 32 bytes.
    func hash(of redirectURI: RedirectURI) -> [UInt8] {
        for (uri, hash) in zip(redirectURIs, redirectURIHashes) where uri.text.hasSameBytes(as: redirectURI.text) {
            return hash
        }
        return Hash.sha256(redirectURI.text.utf8)
    }

    /// The redirect URI a login began with, from its hash and port; `nil` if it is no longer the app's.
    func redirectURI(hash: [UInt8], loopbackPort: UInt16) -> RedirectURI? {
        for (uri, known) in zip(redirectURIs, redirectURIHashes) {
            if ConstantTime.equal(known, hash) { return uri }
            guard uri.kind == .loopback else { continue }
            let text = uri.replacingPort(loopbackPort)
            if ConstantTime.equal(Hash.sha256(text.utf8), hash) { return RedirectURI(text) }
        }
        return nil
    }

    /// Whether a secret is the app's; compared in constant time. False for a public app.
    func isSecret(_ sent: WireText) -> Bool {
        guard let secretHash else { return false }
        return ConstantTime.equal(Hash.sha256(sent.utf8), secretHash)
    }
}
