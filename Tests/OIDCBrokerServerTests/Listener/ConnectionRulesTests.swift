// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOEmbedded
import OIDCBroker
import Testing

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO
@testable import OIDCBrokerServer

/// Which connections are served, and whose addresses their clients have.
struct ConnectionRulesTests {
    private static let proxies = ["10.0.0.0/8", "192.0.2.1"].compactMap { IPNetwork($0) }

    /// How the server listens.
    enum Listener: CaseIterable {
        case tls, plain, unixSocket

        var configuration: ServerConfiguration {
            var configuration = ServerConfiguration(
                tls: self == .tls ? TLSFiles(certificateChain: "chain.pem", privateKey: "key.pem") : nil)
            if self == .unixSocket { configuration.unixSocket = "/run/broker.sock" }
            return configuration
        }
    }

    private func rules(
        _ listener: Listener, _ proxies: [IPNetwork] = [], _ field: ForwardedField = .none
    ) -> ConnectionRules {
        var configuration = listener.configuration
        configuration.trustedProxies = proxies
        configuration.forwarded = field
        return ConnectionRules(configuration)
    }

    private func peer(_ decision: ConnectionRules.Decision, _ address: SocketAddress?) -> ClientAddressing.Peer? {
        guard case .served(let addressing) = decision else { return nil }
        return addressing.peer(address)
    }

    @Test(arguments: ["198.51.100.7", "10.0.0.1", "127.0.0.1", "2001:db8::7"])
    func `with TLS and nothing in front, the peer is the client`(text: String) throws {
        let address = try SocketAddress(ipAddress: text, port: 1)
        #expect(peer(rules(.tls).decision(about: address), address) == .client(IPAddress(text)))
    }

    @Test(arguments: [ForwardedField.none, .xForwardedFor, .forwarded])
    func `with TLS, a proxy speaks for others, and any other peer is a client`(field: ForwardedField) throws {
        let rules = self.rules(.tls, Self.proxies, field)
        let list = try #require(TrustedProxies(Self.proxies))
        for text in ["10.1.2.3", "192.0.2.1", "::ffff:10.0.0.1"] {
            let address = try SocketAddress(ipAddress: text, port: 1)
            let expected: ClientAddressing.Peer =
                field == .none ? .client(nil) : .proxy(IPAddress(text), field, list)
            #expect(peer(rules.decision(about: address), address) == expected)
        }
        for text in ["192.0.2.2", "127.0.0.1", "2001:db8::7"] {
            let address = try SocketAddress(ipAddress: text, port: 1)
            #expect(peer(rules.decision(about: address), address) == .client(IPAddress(text)))
        }
    }

    @Test func `with plain HTTP and no proxies, no client is known`() throws {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(peer(rules(.plain).decision(about: address), address) == .client(nil))
    }

    @Test(arguments: [ForwardedField.none, .xForwardedFor, .forwarded])
    func `with plain HTTP and proxies, no other peer is served`(field: ForwardedField) throws {
        let rules = self.rules(.plain, Self.proxies, field)
        let list = try #require(TrustedProxies(Self.proxies))
        let proxy = try SocketAddress(ipAddress: "10.9.9.9", port: 1)
        let expected: ClientAddressing.Peer =
            field == .none ? .client(nil) : .proxy(IPAddress("10.9.9.9"), field, list)
        #expect(peer(rules.decision(about: proxy), proxy) == expected)
        for text in ["11.0.0.1", "192.0.2.2", "127.0.0.1", "::1", "2001:db8::7"] {
            #expect(rules.decision(about: try SocketAddress(ipAddress: text, port: 1)) == .untrusted)
        }
        // A peer that is gone already has no address.
        #expect(rules.decision(about: nil) == .untrusted)
        #expect(rules.decision(about: try SocketAddress(unixDomainSocketPath: "/socket")) == .untrusted)
    }

    @Test(arguments: [ForwardedField.none, .xForwardedFor, .forwarded], [[], proxies])
    func `on a Unix domain socket every peer is a proxy`(field: ForwardedField, proxies: [IPNetwork]) throws {
        let rules = self.rules(.unixSocket, proxies, field)
        let address = try SocketAddress(unixDomainSocketPath: "/socket")
        let list = try #require(TrustedProxies(proxies))
        let expected: ClientAddressing.Peer = field == .none ? .client(nil) : .proxy(nil, field, list)
        #expect(peer(rules.decision(about: address), address) == expected)
    }

    /// Whether what a peer says of its span is believed.
    private func believesSpan(_ rules: ConnectionRules, of address: SocketAddress) -> Bool {
        guard case .served(let addressing) = rules.decision(about: address) else { return false }
        return addressing.believesSpan(of: address)
    }

    @Test(arguments: Listener.allCases, [ForwardedField.none, .xForwardedFor, .forwarded])
    func `spans are those of proxies in the list, whatever field names clients`(
        listener: Listener, field: ForwardedField
    ) throws {
        let proxy = try SocketAddress(ipAddress: "10.9.9.9", port: 1)
        let others = try ["11.0.0.1", "127.0.0.1", "::1"].map { try SocketAddress(ipAddress: $0, port: 1) }
        let socket = try SocketAddress(unixDomainSocketPath: "/socket")
        let listed = rules(listener, Self.proxies, field)
        #expect(believesSpan(listed, of: proxy))
        for other in others { #expect(!believesSpan(listed, of: other)) }
        #expect(believesSpan(listed, of: socket) == (listener != .plain))
        // Without a list there are no trusted proxies.
        let unlisted = rules(listener, [], field)
        for peer in [proxy, socket] + others { #expect(!believesSpan(unlisted, of: peer)) }
    }

    @Test func `more proxies than there may be are not believed at all`() throws {
        let many = (0...256).compactMap { IPNetwork("10.\($0 / 256).\($0 % 256).0/24") }
        let address = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        #expect(
            peer(rules(.tls, many, .xForwardedFor).decision(about: address), address) == .client(IPAddress("10.0.0.1")))
    }

    @Test func `over plain HTTP, too many proxies are no client`() throws {
        let many = (0...256).compactMap { IPNetwork("10.\($0 / 256).\($0 % 256).0/24") }
        let address = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        #expect(rules(.plain, many, .xForwardedFor).decision(about: address) == .untrusted)
    }

    @Test func `a reload changes the rules of the next connection`() throws {
        let live = LiveServerConfiguration(Listener.plain.configuration)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let before = live.rules
        var next = Listener.plain.configuration
        next.trustedProxies = Self.proxies
        live.update(next)
        #expect(live.rules.decision(about: address) == .untrusted)
        #expect(before.decision(about: address) != .untrusted)
    }
}
