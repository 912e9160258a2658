// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO

/// What a configuration says of a new connection, prepared once so that each connection takes only a reference.
final class ConnectionRules: Sendable {
    /// What becomes of a connection.
    enum Decision: Hashable {
        /// It is served, and its clients have these addresses.
        case served(ClientAddressing)
        /// It is closed before a byte is read: only the proxies in front may speak plain HTTP.
        case untrusted
    }

    /// The proxies in front.
    let proxies: TrustedProxies
    /// The field of responses over https.
    let strictTransportSecurity: StrictTransportSecurity
    /// Whether a line is written for each request.
    let writesAccessLines: Bool
    private let addressing: ClientAddressing
    private let refusesOthers: Bool

    /// Prepares the rules of a configuration.
    init(_ configuration: ServerConfiguration) {
        // A configuration with more proxies is refused; a peer that is not named is not trusted.
        let proxies = TrustedProxies(configuration.trustedProxies) ?? TrustedProxies.none
        self.proxies = proxies
        writesAccessLines = configuration.log.access
        let hasProxies = !configuration.trustedProxies.isEmpty
        strictTransportSecurity = StrictTransportSecurity(maximumAge: configuration.strictTransportSecurity)
        let isPlain = configuration.tls == nil
        refusesOthers = isPlain && configuration.unixSocket == nil && hasProxies
        addressing =
            if configuration.unixSocket != nil || hasProxies {
                .forwarded(in: configuration.forwarded, by: proxies)
            } else {
                // Plain HTTP is behind a proxy, here one on this machine, which does not name its clients.
                isPlain ? .unknown : .peer
            }
    }

    /// Decides about the connection of a peer.
    /// - Parameter peer: Its address; `nil` if it is not known, as when the peer is gone already.
    func decision(about peer: SocketAddress?) -> Decision {
        guard refusesOthers else { return .served(addressing) }
        guard let address = IPAddress(peer), proxies.contains(address) else { return .untrusted }
        return .served(addressing)
    }
}
