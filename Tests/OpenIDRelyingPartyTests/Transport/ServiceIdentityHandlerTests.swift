// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import OpenIDRelyingParty

/// What lets no request pass to a host that the certificate does not name.
@Suite struct ServiceIdentityHandlerTests {
    private static let identity = ServiceIdentity(
        names: ["idp.example"], addresses: [[10, 0, 0, 1], Array(repeating: 0, count: 15) + [1]])
    private let channel = EmbeddedChannel(handler: ServiceIdentityHandler(identity))

    private func passes(_ hosts: [String]) throws -> Bool {
        let fields = HTTPHeaders(hosts.map { ("host", $0) })
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
        let write = channel.writeAndFlush(HTTPClientRequestPart.head(head))
        let passed = try channel.readOutbound(as: HTTPClientRequestPart.self) != nil
        if !passed { #expect(throws: ProviderTransportError.untrusted) { try write.wait() } }
        return passed
    }

    /// AsyncHTTPClient writes an IPv6 address without brackets.
    @Test(arguments: [
        "idp.example", "idp.example:8443", "10.0.0.1", "10.0.0.1:8443", "[::1]", "[::1]:8443", "::1", "::1:8443",
    ])
    func `a request to a host of the certificate passes, and the next one`(host: String) throws {
        #expect(try passes([host]))
        #expect(try passes([host]))
    }

    @Test(arguments: [["other.example"], ["other.example:8443"], ["10.0.0.2"], ["[::2]:443"], ["::2"], [""], []])
    func `a request to another host does not`(hosts: [String]) throws {
        #expect(try !passes(hosts))
    }

    @Test func `two hosts are ambiguous`() throws {
        #expect(try !passes(["idp.example", "idp.example"]))
    }

    @Test func `behind a request that was refused nothing passes, and the connection is closed`() throws {
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 443)).wait()
        #expect(channel.isActive)
        #expect(try passes(["idp.example"]))
        #expect(try !passes(["other.example"]))
        #expect(try !passes(["idp.example"]))
        #expect(throws: ProviderTransportError.untrusted) {
            channel.embeddedEventLoop.run()
            try channel.throwIfErrorCaught()
        }
        #expect(!channel.isActive)
    }
}
