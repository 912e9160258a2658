// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A provider that responds in the fragment.
struct FragmentTests {
    private func installation(
        _ type: ResponseType = .codeIDToken, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Installation {
        try Installation {
            $0.providers[0].configuration.responseType = type
            $0.providers[0].configuration.responseMode = .fragment
            try configure(&$0)
        }
    }

    @Test(arguments: [ResponseType.code, .codeIDToken, .idToken])
    func `is asked to only where the type's own mode is another`(type: ResponseType) throws {
        var browser = Browser(try installation(type))
        let request = try browser.start()
        #expect(request["response_mode"] == (type == .code ? "fragment" : nil))
        // The page posts from our own origin: no other site needs the cookie.
        #expect(browser.jar.cookies.map(\.sameSite) == ["lax"])
    }

    @Test(arguments: [ResponseType.code, .codeIDToken, .idToken])
    func `signs in, by our page`(type: ResponseType) throws {
        let installation = try self.installation(type)
        var browser = Browser(installation)
        let location = try Location(try browser.bringFragment(try browser.authenticate()))
        #expect(location["code"] != nil)
        #expect(location["state"] == "state-of-the-app")
        #expect(browser.jar.cookies.isEmpty)
        #expect(installation.log.outcomes == ["reading_fragment", "signed_in"])
    }

    @Test
    func `the page is on the callback path of such a provider, for a GET without a query, and nowhere else`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) {
            $0.providers[1].configuration.responseType = .codeIDToken
            $0.providers[1].configuration.responseMode = .fragment
            $0.providers[1].callbackPath = "/__/auth/globex"
        }
        let page = try installation.get("/__/auth/globex")
        #expect(page.status == 200)
        #expect(page.text.contains("action=\"/__/auth/globex\""))
        #expect(try installation.get("/__/auth/globex?").text == page.text)
        for target in [
            Installation.handler, Installation.handler + "?", "/__/auth/globex?x=1", "/__/auth/globex?state=",
        ] {
            let other = try installation.get(target)
            #expect(other.status == 400, "\(target)")
            #expect(!other.text.contains("<script"), "\(target)")
        }
        let head = try installation.request(.head, "/__/auth/globex")
        #expect(head.status == 200)
        #expect(head.body.readableBytes == 0)
    }

    @Test func `the page is for a navigation, as every callback`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        #expect(try browser.get(Installation.handler) { $0[.secFetchDestination] = "iframe" }.status == 403)
        #expect(try browser.get(Installation.handler) { $0[.secPurpose] = "prefetch" }.status == 425)
    }

    @Test func `what the page posts must come from our own origin, and uses nothing up where it does not`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let cookie = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
        for site in ["cross-site", "same-site", "none", ""] {
            let response = try browser.postFragment(Query.encode(callback)) {
                $0[.cookie] = cookie
                $0[.secFetchSite] = site
            }
            #expect(response.status == 403, "\(site)")
        }
        browser.sendsFetchMetadata = false
        #expect(try browser.postFragment(Query.encode(callback), origin: "https://evil.example").status == 403)
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.postFragment(Query.encode(callback)).status == 303)
    }

    @Test(.attack(.responseModeDowngrade))
    func `in another mode it is refused, an error too, and uses nothing up`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let callback = try installation.provider.signIn(request)
        #expect(try browser.bring(callback).status == 400)
        installation.clock.advance(by: 1)
        #expect(try browser.bring(installation.provider.refuse(request, "access_denied")).status == 400)
        installation.clock.advance(by: 1)
        // The fields themselves, as a form_post has them; from our own origin too.
        let form = try browser.post(Installation.handler, callback, site: .sameOrigin, origin: Installation.origin)
        #expect(form.status == 400)
        #expect(installation.log.outcomes == ["misdirected", "misdirected", "misdirected"])
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bringFragment(callback).status == 303)
    }

    @Test(arguments: [ResponseMode.query, .formPost])
    func `a fragment that was not asked for is refused`(mode: ResponseMode) throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = mode }
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.postFragment(Query.encode(callback))
        #expect(response.status == 400)
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(installation.provider.count("/token") == 0)
        let taken = mode == .query ? try browser.bring(callback) : try browser.bringForm(callback)
        #expect(taken.status == 303)
    }

    @Test func `an error in the fragment is told to the app`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let response = try browser.bringFragment(installation.provider.refuse(request, "access_denied"))
        #expect(try Location(response)["error"] == "access_denied")
    }

    @Test(.attack(.missingOrDuplicateState, .impossibleCode, .ambiguousEncoding, .duplicateResponseParameter))
    func `is read as strictly as a query, and uses nothing up where it is refused`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let good = Query.encode(callback)
        let refused = [
            "", "x", good + "&state=b", good + "&code=b", good + "&id_token=b", good + "&iss=b", good + "&x=%",
            good + "&x=%C0%AF", good + "&x=\u{e9}", good.replacing("&", with: ";"), "#" + good,
            good + "&" + (0..<100).map { "p\($0)=v" }.joined(separator: "&"),
            Query.encode(callback.filter { $0.0 != "state" }),
            Query.encode(callback.filter { $0.0 != "code" }), Query.encode(callback.filter { $0.0 != "id_token" }),
            Query.encode([("code", "a\u{0}b")] + callback.dropFirst()),
        ]
        for text in refused {
            let page = try browser.postFragment(text)
            #expect(page.status == 400, "\(text.prefix(20))")
            #expect(page.head.headerFields[.location] == nil)
        }
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.postFragment(good + "&unknown=1").status == 303)
    }

    @Test(.attack(.parametersInQueryAndBody))
    func `comes in one field of that name: beside another field it is not ours`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let field = ("fragment", Query.encode(callback))
        for form in [[field, field], [field, ("x", "1")], [field, callback[1]], [("Fragment", field.1)]] {
            let page = try browser.post(Installation.handler, form, site: .sameOrigin, origin: Installation.origin)
            #expect(page.status == 400)
        }
        let both = try browser.post(
            Installation.handler + "?" + Query.encode([callback[1]]), [field], site: .sameOrigin,
            origin: Installation.origin)
        #expect(both.status == 400)
        #expect(try browser.postFragment(field.1).status == 303)
    }

    @Test(.attack(.loginCSRF, .withheldCookie))
    func `without the login's cookie it is refused: the page that sends a form once more is not for it`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        var other = Browser(installation)
        let page = try other.postFragment(Query.encode(callback))
        #expect(page.heading == "This sign-in was not begun here")
        #expect(!page.text.contains("<form"))
        #expect(try browser.postFragment(Query.encode(callback)).status == 303)
    }

    @Test func `an app on the device gets its Continue page from here too`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let page = try browser.bringFragment(try browser.authenticate(.desk))
        #expect(page.heading?.hasPrefix("Continue to ") == true)
        #expect(try Location(try browser.submit(page))["code"] != nil)
    }
}
