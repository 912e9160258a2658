// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerServer

/// The response of the plain listener, by method and target.
struct RedirectionTests {
    private static let longest = "/" + String(repeating: "a", count: Redirection.longestTarget - 1)

    @Test(
        arguments: [
            "/", "/__/auth/handler?code=a&state=b", "//evil.example/", "/\\evil.example", "/@evil.example",
            "/.evil.example",
            "/%0d%0aSet-Cookie:%20a=b", "/a?b=http://evil.example/", "/a;b:c", "/\"<>'`{}|^", longest,
        ])
    func `a path and a query go to the public URL`(target: String) throws {
        let publicURL = try #require(PublicURL("https://auth.example.com:8443"))
        for method in ["GET", "HEAD"] {
            let response = Redirection.response(method: method, target: target, to: publicURL)
            #expect(response.status == .permanentRedirect)
            #expect(response.headerFields[.location] == "https://auth.example.com:8443" + target)
            #expect(response.headerFields[.contentLength] == "0")
            #expect(response.headerFields[.connection] == "close")
            #expect(response.headerFields[.strictTransportSecurity] == nil)
        }
    }

    @Test(
        arguments: [
            "", "*", "a", "evil.example:443", "http://evil.example/", "https://evil.example/a",
            "HTTP://auth.example.com/",
            "/a b", "/a\r\nSet-Cookie: a=b", "/a\nb", "/a\0", "/a\t", "/a#b", "/a\u{e4}", "/a\u{2028}", "/\u{7f}", "?a",
            "\\/evil.example", longest + "a",
        ])
    func `any other target is refused`(target: String) throws {
        let publicURL = try #require(PublicURL("https://auth.example.com"))
        let response = Redirection.response(method: "GET", target: target, to: publicURL)
        #expect(response.status == .badRequest)
        #expect(response.headerFields[.location] == nil)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "Get", "GETX", "", "GET\u{301}"])
    func `any other method is refused`(method: String) throws {
        let publicURL = try #require(PublicURL("https://auth.example.com"))
        let response = Redirection.response(method: method, target: "/", to: publicURL)
        #expect(response.status == .methodNotAllowed)
        #expect(response.headerFields[.allow] == "GET, HEAD")
        #expect(response.headerFields[.location] == nil)
    }
}
