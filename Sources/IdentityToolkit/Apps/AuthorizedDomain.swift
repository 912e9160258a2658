// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerConfiguration

/// A domain whose web pages may use an SDK app: an entry of `auth.sdk-app.<name>.authorized-domains`.
///
/// | entry | its origins |
/// | --- | --- |
/// | `host` | https on the default port; on a loopback host also http on any port |
/// | `host:port` | https on this port; on a loopback host also http |
/// | `*.host` | https on the default port, for every subdomain, but not for the host itself |
/// | `chrome-extension://id` | the pages of this extension |
/// | `capacitor://localhost`, `ionic://localhost`, `tauri://localhost` | the pages of every hybrid app of this kind |
/// | `app://localhost` | the pages of every app of Cordova on iOS with this scheme |
/// | `moz-extension://uuid` | the pages of an extension of Firefox, in one profile |
///
/// The loopback hosts are `localhost`, `127.0.0.1` and `[::1]`. Names are compared in lower case and by whole labels,
/// IP addresses as they are. Only ASCII is taken, so an internationalized name is written with `xn--`.
package struct AuthorizedDomain: Sendable, Hashable, CustomStringConvertible {
    private enum Rule: Sendable, Hashable {
        case host([UInt8], port: UInt16?)
        /// The end of the host, with the dot in front.
        case subdomains([UInt8])
        case app(WebOrigin)
    }

    /// The schemes of origins that stand in an entry as a whole.
    private static let appSchemes: [WebOrigin.Scheme] = [
        .chromeExtension, .mozExtension, .capacitor, .ionic, .tauri, .app,
    ]

    /// A description of entries. It completes the sentence "expected …".
    package static let expectation =
        "host, host:port, *.host, chrome-extension://id, moz-extension://uuid, capacitor://localhost, "
        + "ionic://localhost, tauri://localhost or app://localhost each, in ASCII; an IP address as browsers write it, "
        + "and at least two labels behind *."

    private static let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"].map { Array($0.utf8) }

    /// The entry as it is configured.
    package let text: String
    /// The entry as the SDK for JavaScript compares it to the host of its page: without port and without `*.`, since it
    /// takes every subdomain for a match. It checks for the developer's sake only; what counts is the match with an origin.
    package let clientText: String
    private let rule: Rule

    /// Reads an entry; `nil` if it does not match ``expectation``.
    package init?(_ text: String) {
        guard text.utf8.count <= WebOrigin.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        let wildcard = Array("*.".utf8)
        if Self.appSchemes.contains(where: { bytes.starts(with: $0.prefix) }) {
            guard let origin = WebOrigin(text) else { return nil }
            rule = .app(origin)
            clientText = text
        } else if bytes.starts(with: wildcard) {
            // A wildcard for all of `com`, or below an address, is a mistake.
            guard let authority = WebAuthority(bytes[wildcard.count...]), authority.port == nil,
                !authority.isAddress, authority.labelCount >= 2,
                let host = String(validating: authority.host, as: UTF8.self)
            else { return nil }
            rule = .subdomains([UInt8(ascii: ".")] + authority.host)
            clientText = host
        } else {
            guard let authority = WebAuthority(bytes[...]), !authority.isAddress || authority.isCanonicalAddress,
                let host = String(validating: authority.host, as: UTF8.self)
            else { return nil }
            rule = .host(authority.host, port: authority.port)
            clientText = host
        }
        self.text = text
    }

    /// Whether pages of an origin may use the app.
    package func matches(_ origin: WebOrigin) -> Bool {
        switch rule {
        case .app(let app):
            return origin == app
        case .subdomains(let end):
            // A host has no empty label, so what is in front of the dot is at least one label.
            return origin.scheme == .https && origin.port == WebOrigin.Scheme.https.defaultPort
                && origin.host.count > end.count && origin.host.suffix(end.count).elementsEqual(end)
        case .host(let host, let port):
            guard origin.host == host else { return false }
            switch origin.scheme {
            case .https: return origin.port == port ?? origin.scheme.defaultPort
            case .http: return Self.loopbackHosts.contains(host) && origin.port == port ?? origin.port
            case .chromeExtension, .mozExtension, .capacitor, .ionic, .tauri, .app: return false
            }
        }
    }

    /// Whether the value of a field `Origin` is an origin whose pages may use the app.
    package func matches(origin: String) -> Bool {
        WebOrigin(origin).map { matches($0) } ?? false
    }

    package var description: String { text }
}
