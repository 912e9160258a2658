// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A form of a provider that is longer than the limit.
struct LongFormTests {
    private static func request(_ path: String, method: HTTPRequest.Method = .post) -> BrokerRequest {
        BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "auth.example.com", path: path,
                headerFields: [.acceptLanguage: "de"]),
            body: ByteBuffer())
    }

    @Test func `it is a page in the language of the browser, and a warning that names the provider and the cause`()
        throws
    {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        let broker = installation.broker
        let response = try #require(broker.response(toLongFormOf: Self.request(Installation.handler + "?x")))
        #expect(response.status == 413)
        #expect(response.text.contains("lang=\"de\""))
        let line = try #require(installation.log.lines.last)
        #expect(line.level == .warning)
        #expect(line.message == "response of the provider refused: its form is longer than 65536 bytes")
        #expect(line.metadata["auth.provider"] == "oidc.acme")
        #expect(line.metadata["auth.detail"]?.contains("groups") == true)
        let reference = try #require(line.metadata["auth.reference"])
        #expect(response.text.contains(reference))
        // Once a second, however often it comes.
        #expect(broker.response(toLongFormOf: Self.request(Installation.handler)) != nil)
        #expect(installation.log.lines.count { $0.level == .warning } == 1)
    }

    @Test func `nothing else is`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        let requests = [
            Self.request(Installation.handler, method: .get), Self.request("/__/auth/token"),
            Self.request(Installation.handler + "/"),
        ]
        for request in requests { #expect(installation.broker.response(toLongFormOf: request) == nil) }
        let query = try Installation()
        #expect(query.broker.response(toLongFormOf: Self.request(Installation.handler)) == nil)
        #expect(installation.log.lines.isEmpty)
    }
}
