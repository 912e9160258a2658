// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Redirect URIs that are nearly one of the app's.
@Suite(.attack(.nearlyARedirectURI)) struct RedirectURIVariantTests {
    private func isRefused(_ uri: String, app: AppClient = .shop) throws -> Bool {
        let page = try Installation().get(app.target(["redirect_uri": uri]))
        return page.status == 400 && page.head.headerFields[.location] == nil
    }

    @Test(
        arguments: [
            "https://shop.example/callback/", "https://shop.example/callback?", "https://shop.example/callback?x=1",
            "https://shop.example/callback#", "https://shop.example/callback#x", "https://shop.example/Callback",
            "https://shop.example//callback", "https://shop.example/callback/../callback",
            "https://shop.example/./callback", "https://shop.example/%63allback", "https://shop.example/callback%20",
            "https://shop.example/callback ", " https://shop.example/callback", "https://shop.example/callback\n",
            "https://shop.example", "https://shop.example/", "https://shop.example:443/callback",
            "https://shop.example:8443/callback", "https://shop.example./callback", "https://SHOP.example/callback",
            "HTTPS://shop.example/callback", "http://shop.example/callback", "https:shop.example/callback",
            "https:/shop.example/callback", "//shop.example/callback", "/callback", "shop.example/callback",
            "https://shop.example@evil.example/callback", "https://evil.example\\@shop.example/callback",
            "https://u@shop.example/callback", "https://u@v@shop.example/callback",
            "https://evil.example#@shop.example/callback", "https://shop.example%23@evil.example/callback",
            "https://shop.example.evil.example/callback", "https://evil-shop.example/callback",
            "https://badshop.example/callback", "https://evil.example/https://shop.example/callback",
            "https://sh\u{3bf}p.example/callback", "https://xn--shp-55d.example/callback",
            "https://shop.example\u{2044}callback", "https://shop.example/callback\u{0}", "///evil.example",
            "/\\evil.example", "/\t/evil.example", "//evil.example%2f..", "javascript:alert(1)",
            "data:text/html,x", "intent://shop.example/callback#Intent;end", "about:blank", "file:///callback",
            "com.example.phone:/callback", "http://127.0.0.1:51004/callback",
        ])
    func `of an https app`(uri: String) throws {
        #expect(try isRefused(uri), "\(uri)")
    }

    @Test(
        arguments: [
            "http://127.0.0.1:0/callback", "http://127.0.0.1:65536/callback", "http://127.0.0.1:/callback",
            "http://127.0.0.1:051004/callback", "http://127.0.0.1:-1/callback", "http://127.0.0.2:51004/callback",
            "http://localhost:51004/callback", "http://[::1]:51004/callback", "https://127.0.0.1:51004/callback",
            "http://127.0.0.1:51004/other", "http://127.0.0.1:51004/callback?x=1", "http://127.0.0.1:51004/callback#x",
            "http://127.0.0.1:51004@evil.example/callback", "http://127.0.0.1.evil.example:51004/callback",
            "http://127.1:51004/callback", "http://2130706433:51004/callback", "http://0x7f.0.0.1:51004/callback",
            "http://127.0.0.01:51004/callback",
        ])
    func `of a loopback app: any port, and nothing else`(uri: String) throws {
        #expect(try isRefused(uri, app: .desk), "\(uri)")
    }

    @Test(
        arguments: ["http://127.0.0.1/callback", "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/callback"])
    func `of a loopback app: with any port it completes`(uri: String) throws {
        var app = AppClient.desk
        app.redirectURI = uri
        let installation = try Installation()
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        #expect(location.base == uri)
        #expect(try installation.redeem(try #require(location["code"]), app).status == 200)
    }

    @Test(
        arguments: [
            "http://LOCALHOST:51004/callback", "http://localhost:08080/callback", "http://localhost:80/callback",
            "http://[::1]:51004/callback",
        ])
    func `what is accepted at the start is accepted at the callback, however a loopback host is spelled`(uri: String)
        throws
    {
        let installation = try Installation {
            $0.apps[2].redirectURIs = ["http://localhost/callback", "http://[::1]/callback"]
        }
        var app = AppClient.desk
        app.redirectURI = uri
        var browser = Browser(installation)
        let response = try browser.get(app.target())
        guard response.status == 303 else {
            #expect(response.status == 400)
            return
        }
        let callback = try installation.provider.signIn(try Location(response))
        #expect(try browser.bring(callback).heading?.hasPrefix("Continue to ") == true)
    }

    @Test(
        arguments: [
            "com.example.phone:/callback/", "com.example.phone://callback", "com.example.phone:callback",
            "com.example.phone:/callback?x=1", "com.example.phone:/callback#x", "COM.example.phone:/callback",
            "com.example.phones:/callback", "com.example.phone:/", "https://com.example.phone:/callback",
        ])
    func `of an app with a scheme of its own`(uri: String) throws {
        #expect(try isRefused(uri, app: .phone), "\(uri)")
    }
}
