// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// Header fields and paths that are to confuse a server or a cache in front of it.
struct ForgedHeaderTests {
    @Test(
        .attack(.forgedProxyFields),
        arguments: [
            "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Uri",
            "X-Original-URL", "X-Rewrite-URL", "Forwarded", "X-Host", "X-Real-IP",
        ])
    func `what a proxy might have said is not read`(name: String) throws {
        let field = try #require(HTTPField.Name(name))
        let installation = try Installation()
        var browser = Browser(installation)
        let spoof: (inout HTTPFields) -> Void = { $0[field] = "host=evil.example;proto=http" }
        let request = try Location(try browser.get(AppClient.shop.target(), spoof))
        #expect(request["redirect_uri"] == Installation.origin + Installation.handler)
        let callback = try installation.provider.signIn(request)
        let location = try Location(
            try browser.get(Installation.handler + "?" + Query.encode(callback), spoof))
        #expect(location["iss"] == Installation.issuer)
        #expect(!(request.text + location.text).contains("evil.example"))
    }

    @Test(.attack(.spoofedHost), arguments: [true, false])
    func `host header poisoning: no response repeats the request's host`(isValidated: Bool) throws {
        let installation = try Installation()
        for target in [AppClient.shop.target(), Installation.handler, "/__/auth/.well-known/openid-configuration"] {
            let response = try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(method: .get, scheme: "http", authority: "evil.example", path: target),
                    validatesAuthority: isValidated))
            #expect(!response.text.contains("evil.example"))
            for field in response.head.headerFields { #expect(!field.value.contains("evil.example")) }
            #expect((response.status == 421) == isValidated)
        }
    }

    @Test(
        .attack(.cacheDeception, .nearlyTheCallbackPath),
        arguments: ["/x.css", ".css", ";x.css", "/..%2fx.js", "%3fx.css", "%00.css", "/%2e%2e/x.png"])
    func `cache deception: a path that looks like a file is not found, and nothing is stored`(suffix: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.bring(callback, to: Installation.handler + suffix)
        #expect(response.status == 404)
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(try browser.bring(callback).head.headerFields[.cacheControl] == "no-store")
    }
}
