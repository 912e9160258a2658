// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import OIDCBroker

@Suite("S27 the authority of a request")
struct AuthorityTests {
    private func answer(
        _ authority: String?, isJudged: Bool, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> BrokerResponse {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-Host"))
        return try Installation(configure: configure).respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: authority, path: AppClient.shop.target(),
                    headerFields: [forwarded: "evil.example"]),
                isAuthorityJudged: isJudged))
    }

    @Test(
        "another one is answered 421 where it is judged, and never reflected",
        arguments: [
            "evil.example", "auth.example.com.evil.example", "auth.example.com:8443", "auth.example.com.", "",
            "auth.example.com@evil.example", "127.0.0.1",
        ])
    func misdirected(authority: String) throws {
        let response = try answer(authority, isJudged: true)
        #expect(response.status == 421)
        #expect(!response.text.contains("evil"))
        #expect(response.head.headerFields[.location] == nil)
    }

    @Test("none at all is answered 421 where it is judged")
    func missing() throws {
        #expect(try answer(nil, isJudged: true).status == 421)
    }

    @Test("the public URL's is served, however it is cased")
    func right() throws {
        #expect(try answer("auth.example.com", isJudged: true).status == 303)
        #expect(try answer("Auth.Example.COM", isJudged: true).status == 303)
        let port = try answer("auth.example.com:8443", isJudged: true) {
            $0.publicURL = try #require(PublicURL("https://auth.example.com:8443"))
        }
        #expect(port.status == 303)
    }

    @Test("the scheme's own port may be written", arguments: ["auth.example.com:443", "AUTH.example.com:443"])
    func defaultPort(authority: String) throws {
        #expect(try answer(authority, isJudged: true).status == 303)
    }

    @Test("embedded it is not judged, and what is sent out is the public URL's", arguments: ["evil.example", nil])
    func embedded(authority: String?) throws {
        let location = try Location(try answer(authority, isJudged: false))
        #expect(location["redirect_uri"] == "https://auth.example.com/__/auth/handler")
        #expect(!location.text.contains("evil"))
    }
}
