// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The authority of a request.
@Suite(.attack(.spoofedHost)) struct AuthorityTests {
    private func respond(
        _ authority: String?, isValidated: Bool, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> BrokerResponse {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-Host"))
        return try Installation(configure: configure).respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: authority, path: AppClient.shop.target(),
                    headerFields: [forwarded: "evil.example"]),
                validatesAuthority: isValidated))
    }

    @Test(
        arguments: [
            "evil.example", "auth.example.com.evil.example", "auth.example.com:8443", "auth.example.com.", "",
            "auth.example.com@evil.example", "127.0.0.1",
        ])
    func `another one is answered 421 where it is validated, and never reflected`(authority: String) throws {
        let response = try respond(authority, isValidated: true)
        #expect(response.status == 421)
        #expect(!response.text.contains("evil"))
        #expect(response.head.headerFields[.location] == nil)
    }

    @Test func `none at all is answered 421 where it is validated`() throws {
        #expect(try respond(nil, isValidated: true).status == 421)
    }

    @Test func `the public URL's is served, however it is cased`() throws {
        #expect(try respond("auth.example.com", isValidated: true).status == 303)
        #expect(try respond("Auth.Example.COM", isValidated: true).status == 303)
        let port = try respond("auth.example.com:8443", isValidated: true) {
            $0.publicURL = try #require(PublicURL("https://auth.example.com:8443"))
        }
        #expect(port.status == 303)
    }

    @Test(arguments: ["auth.example.com:443", "AUTH.example.com:443"])
    func `the scheme's own port may be written`(authority: String) throws {
        #expect(try respond(authority, isValidated: true).status == 303)
    }

    @Test(arguments: ["evil.example", nil])
    func `embedded it is not validated, and what is sent out is the public URL's`(authority: String?) throws {
        let location = try Location(try respond(authority, isValidated: false))
        #expect(location["redirect_uri"] == "https://auth.example.com/__/auth/handler")
        #expect(!location.text.contains("evil"))
    }
}
