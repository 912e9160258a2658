// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Redirect URIs that are nearly those of an app, or are to send a credential elsewhere (RFC 9700 section 4.1).
struct RedirectURIAttackTests {
    @Test(
        arguments: [
            ("https://shop.example/callback/", "https://shop.example/callback, without the slash at the end"),
            ("https://shop.example/callback//", "https://shop.example/callback"),
            ("https://shop.example/login", "https://shop.example/login/, with a slash at the end"),
            ("http://shop.example/back", "https://shop.example/back"),
            ("https://www.shop.example/callback", "https://shop.example/callback"),
        ])
    func `the log names the app and the nearest registered one`(sent: String, nearest: String) throws {
        let installation = try Installation {
            $0.apps[0].redirectURIs = [
                "https://shop.example/back", "https://shop.example/callback", "https://shop.example/login/",
            ]
        }
        #expect(try installation.get(AppClient.shop.target(["redirect_uri": sent])).status == 400)
        let line = try #require(installation.log.lines.last)
        #expect(line.message == "sign-in failed: invalid authorization request from an app")
        #expect(line.metadata["auth.app"] == "shop")
        #expect(
            line.metadata["auth.detail"]
                == "\"redirect_uri is not registered; the nearest registered one is \(nearest)\"")
    }

    @Test(
        .attack(.nearlyARedirectURI),
        arguments: [
            "/%09/evil.example", "//evil%2f..", "https:app.example.com",
            "https://shop.example%00.evil.example/callback",
            "https://shop.example%2ecallback", "https://evil.example?https://shop.example/callback",
            "https://shop.example:443@evil.example/callback", "https://a@b@shop.example/callback",
            "\u{ff0f}\u{ff0f}evil.example", "https://shop\u{3002}example/callback", "view-source:https://shop.example",
            "https://shop.example/callback\u{2028}", "HTTPS://SHOP.EXAMPLE/callback",
            "https://shop.example/callback/..",
        ])
    func `what browsers read as another host is not the app's`(uri: String) throws {
        let page = try Installation().get(AppClient.shop.target(["redirect_uri": uri]))
        #expect(page.status == 400, "\(uri)")
        #expect(page.head.headerFields[.location] == nil)
    }

    @Test(.attack(.hostSuffix))
    func `a host that only ends like the app's is not the app's, for redirects and for pages that read responses`()
        throws
    {
        let installation = try Installation()
        for host in ["badshop.example", "bad.shop.example", "shop.example.evil.example", ".shop.example"] {
            let uri = "https://\(host)/callback"
            #expect(try installation.get(AppClient.shop.target(["redirect_uri": uri])).status == 400, "\(host)")
            let preflight = try installation.request(.options, "/__/auth/token", fields: [.origin: "https://\(host)"])
            #expect(preflight.head.headerFields[.accessControlAllowOrigin] == nil, "\(host)")
        }
        // A leading dot is a suffix in other programs: here it is part of the one host.
        guard
            let dotted = try? Installation(configure: { $0.apps[0].redirectURIs = ["https://.shop.example/callback"] })
        else { return }
        for host in ["shop.example", "bad.shop.example", "badshop.example"] {
            let uri = "https://\(host)/callback"
            #expect(try dotted.get(AppClient.shop.target(["redirect_uri": uri])).status == 400, "\(host)")
        }
    }

    @Test(
        .attack(.hostileScheme),
        arguments: ["http", "file", "javascript", "data", "intent"])
    func `schemes that systems act on cannot be an app's`(scheme: String) throws {
        #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.apps[3].redirectURIs = ["\(scheme)://phone/callback"] }
        }
        #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.apps[3].redirectURIs = ["\(scheme):/callback"] }
        }
    }

    @Test(.attack(.hostileScheme))
    func `an app with a scheme of its own gets the code for one use, and only there`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let location = try browser.signIn(.phone)
        #expect(location.base == "com.example.phone:/callback")
        #expect(location.query.names == ["code", "state", "iss"])
        // Another app's scheme is that app's alone.
        #expect(
            try installation.get(AppClient.shop.target(["redirect_uri": "com.example.phone:/callback"])).status == 400)
    }

    @Test(.attack(.redirectURIPattern)) func `a redirect URI that is a pattern is refused, or is no pattern`() throws {
        for pattern in [
            "https://*.shop.example/callback", "https://shop.example/*", "^https://shop.example/callback$",
            "https://shop.example/(callback|other)", "https://{tenant}.shop.example/callback",
            "https://shop.example/\\w+", "com.example.*:/callback",
        ] {
            #expect(throws: BrokerConfigurationError.self, "\(pattern)") {
                try Installation { $0.apps[0].redirectURIs = [pattern] }
            }
        }
        // What a URI may have stands for itself.
        for literal in [
            "https://shop.example/c.llback", "https://shop.example/call[b]ack", "https://shop.example/call+back",
        ] {
            let installation = try Installation { $0.apps[0].redirectURIs = [literal] }
            #expect(try installation.get(AppClient.shop.target()).status == 400, "\(literal)")
            #expect(try installation.get(AppClient.shop.target(["redirect_uri": literal])).status == 303, "\(literal)")
        }
    }

    @Test(.attack(.openRedirection))
    func `a redirect URI that is not the app's ends in a page, however it is given`() throws {
        let installation = try Installation()
        let page = try installation.get(AppClient.shop.target(["redirect_uri": "https://evil.example/"]))
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
        #expect(!page.text.contains("evil.example"))
        for name in ["redirectUrl", "redirect_url", "redirect", "return_to", "continue", "next", "target_link_uri"] {
            let location = try Location(
                try installation.get(AppClient.shop.target(adding: [(name, "https://evil.example/")])))
            #expect(!location.text.contains("evil.example"), "\(name)")
        }
    }

    @Test(.attack(.openRedirection))
    func `covert redirect: where a sign-in ends is fixed at its start, whatever the callback says`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let more = ["redirect_uri", "redirectUrl", "return_to", "continue", "target_link_uri", "RelayState"].map {
            ($0, "https://evil.example/")
        }
        let location = try Location(try browser.bring(callback + more))
        #expect(location.base == "https://shop.example/callback")
        #expect(!location.text.contains("evil"))
    }
}
