// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Logins of an app in process, each with its own destination, and paths that only look like theirs.
struct ManyDestinationsTests {
    /// The destinations that a handler received, in their order.
    private final class Destinations: Sendable {
        private let storage = Mutex<[String]>([])

        var all: [String] { storage.withLock { $0 } }

        func add(_ destination: String) { storage.withLock { $0.append(destination) } }
    }

    private static let path = "/__/auth/login/site"

    private static func installation(_ received: Destinations = Destinations()) throws -> Installation {
        let handler = SignInHandler { signIn in
            received.add(signIn.destination)
            return .redirect()
        }
        return try Installation(signInHandlers: ["site": handler]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
    }

    @Test(.attack(.interleavedLogins), arguments: [3, 7, 11, 19])
    func `twenty tabs finish in another order, each at its own destination`(step: Int) throws {
        let received = Destinations()
        let installation = try Self.installation(received)
        var browser = Browser(installation)
        let destinations = (0..<20).map { "/orders/\($0)?tab=\($0)" }
        var callbacks: [[(String, String)]] = []
        for destination in destinations {
            let request = try Location(try browser.get(Self.path + "?to=" + Query.encode(destination)))
            callbacks.append(try installation.provider.signIn(request))
        }
        // A step that has no factor in common with 20 comes by each of them once.
        let order = (0..<20).map { ($0 * step + 5) % 20 }
        for number in order {
            let response = try browser.bring(callbacks[number])
            #expect(response.head.headerFields[.location] == Installation.origin + destinations[number])
        }
        #expect(received.all == order.map { destinations[$0] })
        #expect(browser.jar.cookies.isEmpty)
        // Each of them once.
        for (callback, destination) in zip(callbacks, destinations) {
            let again = try browser.bring(callback)
            #expect(again.status == 400)
            #expect(again.heading == "This sign-in is finished or was interrupted")
            // Both ways on: the site, and another sign-in with the same destination.
            #expect(again.text.contains("id=\"link\" href=\"\(Installation.origin)/\""))
            let start = Self.path + "?to=" + Query.encode(destination)
            #expect(again.text.contains("id=\"other-link\" href=\"\(start)\">Start again</a>"))
        }
        #expect(received.all.count == 20)
    }

    @Test(
        .attack(.openRedirection),
        arguments: ["redirect_uri", "redirectUrl", "return_to", "next", "target_link_uri", "RelayState", "TO", "to[]"])
    func `only the parameter of that name is a destination`(name: String) throws {
        let received = Destinations()
        let installation = try Self.installation(received)
        var browser = Browser(installation)
        let query = Query.encode([("to", "/orders"), (name, "//thief.example")])
        let request = try Location(try browser.get(Self.path + "?" + query))
        #expect(!request.text.contains("thief"))
        let callback = try installation.provider.signIn(request)
        // Nor does the callback change it.
        let response = try browser.bring(callback + [("to", "//thief.example"), (name, "//thief.example")])
        #expect(response.head.headerFields[.location] == Installation.origin + "/orders")
        #expect(received.all == ["/orders"])
    }

    @Test(
        arguments: [
            "/__/auth/login/site/", "/__/auth/login//site", "//__/auth/login/site", "/__/auth/login/%73ite",
            "/__/auth/login/Site", "/__/auth/login/site;x=1", "/__/auth/login/site%2F", "/__/auth/login/../login/site",
            "/__/auth/login", "/__/auth/login/shop", "/__/auth/login/sit", "/__/auth/login/site%00",
        ])
    func `only the exact path begins a login`(path: String) throws {
        let installation = try Self.installation()
        let response = try installation.get(path + "?to=/orders")
        #expect(response.status == 404)
        #expect(response.head.headerFields[.location] == nil)
        #expect(response.setCookies.isEmpty)
    }

    @Test(.attack(.loginCSRF)) func `begun in one browser, finished in another: no handler is called`() throws {
        let received = Destinations()
        let installation = try Self.installation(received)
        var attacker = Browser(installation)
        let request = try Location(try attacker.get(Self.path + "?to=/orders"))
        let callback = try installation.provider.signIn(request)
        var victim = Browser(installation)
        let page = try victim.bring(callback)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in was not begun here")
        #expect(page.head.headerFields[.location] == nil)
        #expect(page.setCookies.isEmpty)
        #expect(received.all.isEmpty)
        #expect(installation.provider.count("/token") == 0)
    }

    @Test(.attack(.prefetchedCallback), arguments: ["prefetch", "prefetch;prerender"])
    func `a prefetch of the link and of the callback: the handler is called once, by the visit`(purpose: String) throws
    {
        let received = Destinations()
        let installation = try Self.installation(received)
        var browser = Browser(installation)
        _ = try browser.get(Self.path + "?to=/orders") { $0[.secPurpose] = purpose }
        let request = try Location(try browser.get(Self.path + "?to=/orders"))
        let callback = try installation.provider.signIn(request)
        let ahead = try browser.get(Installation.handler + "?" + Query.encode(callback)) { $0[.secPurpose] = purpose }
        #expect(ahead.status == 425)
        #expect(received.all.isEmpty)
        #expect(try browser.bring(callback).status == 303)
        #expect(received.all == ["/orders"])
    }
}
