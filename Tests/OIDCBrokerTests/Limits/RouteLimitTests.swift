// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Each route counts in the row of the table of rates that it names.
struct RouteLimitTests {
    private static let client = IPAddress("192.0.2.1")

    @Test(arguments: EndpointPath.allCases, [HTTPRequest.Method.get, .post, .put])
    func `an endpoint is over the limit that it names, and no other`(
        endpoint: EndpointPath, method: HTTPRequest.Method
    ) throws {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 10)
        (limits.failuresPerSecond, limits.failuresBurst) = (1, 20)
        let installation = try Installation(requestLimits: limits)
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "auth.example.com", path: "/__/auth" + endpoint.rawValue)
        let request = BrokerRequest(head: head, client: Self.client)
        var count = 0
        while count < 30, try installation.respond(request).status != 429 { count += 1 }
        let expected =
            switch endpoint.limit {
            case .browsers: 10
            case .refusals: 20
            default: 30
            }
        #expect(count == expected)
        // A document that is not counted is the same bytes for all clients.
        guard endpoint.limit == nil else { return }
        let other = BrokerRequest(head: head, client: IPAddress("192.0.2.2"))
        #expect(try installation.respond(request).body == installation.respond(other).body)
    }

    @Test func `a path of an extension is over the limit that it names, and so is one without an owner`() throws {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 10)
        let installation = try Installation(requestLimits: limits, extensions: [StubLogins()])
        for (path, client) in [("/stub/start", Self.client), ("/__/auth/nothing", IPAddress("192.0.2.2"))] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "auth.example.com", path: path)
            var count = 0
            while count < 30, try installation.respond(BrokerRequest(head: head, client: client)).status != 429 {
                count += 1
            }
            #expect(count == 10, "\(path)")
        }
    }
}
