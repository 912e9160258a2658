// SPDX-License-Identifier: Apache-2.0

package import Admission
package import NIOCore
public import OIDCBrokerHTTP

/// The source of the client address of each request (`BrokerRequest.client`). No limit changes or classifies the address
/// again. It is only used for limits, the log and the audit.
public struct ClientAddressing: Sendable, Hashable {
    private enum Source: Sendable, Hashable {
        case publicPeer
        case peer
        case unknown
        case forwarded(ForwardedField, TrustedProxies)
    }

    /// What a connection's peer is.
    package enum Peer: Sendable, Hashable {
        /// The client, or a peer that speaks for unknown clients, if there is no address.
        case client(IPAddress?)
        /// A trusted proxy, without an address on a Unix domain socket, which names the client in a field.
        case proxy(IPAddress?, ForwardedField, TrustedProxies)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// The address of the connection's peer, if it is a public one. Any other peer counts as a proxy whose clients are
    /// unknown; no per-address limits apply to it.
    public static let publicPeer = ClientAddressing(.publicPeer)

    /// The address of the connection's peer in any network. Use it if nothing is in front of the server.
    public static let peer = ClientAddressing(.peer)

    /// No address: every peer is a proxy that does not name its clients. Per-address limits are off.
    public static let unknown = ClientAddressing(.unknown)

    /// The address in the field of a proxy that is trusted, or whose connection comes through a Unix domain socket; the
    /// address of the peer for any other. With `ForwardedField.none`, the clients of the proxies are not
    /// known.
    ///
    /// The proxies must set the field, or append to it. It is read from its right end: addresses of trusted proxies are
    /// skipped, and the next one is the client. Everything to its left may have been written by the client, and is ignored.
    public static func forwarded(in field: ForwardedField, by proxies: TrustedProxies) -> ClientAddressing {
        ClientAddressing(.forwarded(field, proxies))
    }

    /// Returns what the peer of a connection is.
    package func peer(_ address: SocketAddress?) -> Peer {
        switch source {
        case .publicPeer:
            return .client(IPAddress(address).flatMap { $0.isOfPublicInternet ? $0 : nil })
        case .peer:
            return .client(IPAddress(address))
        case .unknown:
            return .client(nil)
        case .forwarded(let field, let proxies):
            let known = IPAddress(address)
            guard isTrustedProxy(address) else { return .client(known) }
            return field == .none ? .client(nil) : .proxy(known, field, proxies)
        }
    }

    /// Returns whether the fields of a connection's peer about its own span are believed, whether or not it names
    /// clients: only those of a trusted proxy. Where no proxy is named there is none, on a Unix domain socket either.
    package func believesSpan(of address: SocketAddress?) -> Bool {
        guard case .forwarded(_, let proxies) = source, !proxies.isEmpty else { return false }
        return isTrustedProxy(address)
    }

    /// Returns whether the peer of a connection is a trusted proxy.
    private func isTrustedProxy(_ address: SocketAddress?) -> Bool {
        guard case .forwarded(_, let proxies) = source else { return false }
        // A peer whose address is not known is not trusted: its connection may be gone already.
        return IPAddress(address).map(proxies.contains) ?? Self.isUnixSocket(address)
    }

    /// Returns the address of the client of a request, for the line about it; `nil` if it is not known. Nothing is counted.
    /// - Parameters:
    ///   - peer: The address of the connection's peer.
    ///   - values: Returns the values of all lines of a field, by its name in lower case.
    package func client(behind peer: SocketAddress?, values: (_ name: String) -> [String]) -> IPAddress? {
        switch self.peer(peer) {
        case .client(let client): return client
        case .proxy(let address, let field, let proxies):
            let lines = values(field.rawValue).map { Array($0.utf8) }
            return ForwardedClient.resolve(behind: address, lines: lines, field: field, trusted: proxies).client
        }
    }

    private static func isUnixSocket(_ address: SocketAddress?) -> Bool {
        if case .unixDomainSocket = address { true } else { false }
    }
}
