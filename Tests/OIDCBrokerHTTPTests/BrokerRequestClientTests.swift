// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import Testing

@testable import OIDCBrokerHTTP

/// The client of a request, which an embedding server hands in as an address of either kind.
struct BrokerRequestClientTests {
    private static let head = HTTPRequest(method: .get, scheme: "https", authority: "auth.example.com", path: "/")

    @Test func `an address of the public internet is a client's for the use of providers too`() throws {
        let address = try #require(IPAddress("198.51.100.7"))
        let request = BrokerRequest(head: Self.head, client: address)
        #expect(request.client == address)
        #expect(request.clientAddress == ClientAddress(bytes: [198, 51, 100, 7]))
    }

    @Test func `any other address is known, and bounds no use of providers`() throws {
        for text in ["10.0.0.7", "127.0.0.1", "::1", "fe80::1"] {
            let address = try #require(IPAddress(text))
            let request = BrokerRequest(head: Self.head, client: address)
            #expect(request.client?.description == text)
            #expect(request.clientAddress == nil)
        }
    }

    @Test func `the older kind of address sets the newer one, to the first address of an IPv6 network`() throws {
        let ipv4 = try #require(ClientAddress(bytes: [198, 51, 100, 7]))
        #expect(BrokerRequest(head: Self.head, clientAddress: ipv4).client?.description == "198.51.100.7")
        let address = try #require(IPAddress("2001:db8:1:2:3:4:5:6"))
        let ipv6 = try #require(ClientAddress(address))
        var request = BrokerRequest(head: Self.head)
        #expect(request.client == nil)
        request.clientAddress = ipv6
        #expect(request.client?.description == "2001:db8:1:2::")
        #expect(request.clientAddress == ipv6)
        request.clientAddress = nil
        #expect(request.client == nil)
    }

    @Test func `of two addresses the newer kind counts`() throws {
        let request = BrokerRequest(
            head: Self.head, clientAddress: ClientAddress(bytes: [198, 51, 100, 7]), client: IPAddress("10.0.0.7"))
        #expect(request.client?.description == "10.0.0.7")
        #expect(request.clientAddress == nil)
    }
}
