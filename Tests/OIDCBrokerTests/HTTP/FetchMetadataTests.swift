// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// What a browser says of its request.
struct FetchMetadataTests {
    /// The statuses of a start and of a callback with these fields, which take the place of the browser's own.
    private func statuses(_ change: (inout HTTPFields) -> Void) throws -> [Int] {
        let installation = try Installation()
        var browser = Browser(installation)
        let start = try browser.get(AppClient.shop.target(), change)
        let response = try browser.authenticate()
        let back = try browser.get(Installation.handler + "?" + Query.encode(response), change)
        if back.status == 403 {
            // Nothing was used up.
            #expect(try browser.bring(response).status == 303)
        }
        return [start.status, back.status]
    }

    @Test func `absent fields are fine: older browsers do not send them`() throws {
        #expect(
            try statuses {
                $0[.secFetchMode] = nil
                $0[.secFetchDestination] = nil
                $0[.secFetchSite] = nil
            } == [303, 303])
    }

    @Test(arguments: ["none", "same-origin", "same-site", "cross-site"])
    func `a start and a callback may come from any site`(site: String) throws {
        #expect(try statuses { $0[.secFetchSite] = site } == [303, 303])
    }

    @Test(
        arguments: [
            "cors", "no-cors", "same-origin", "websocket", "nested-navigate", "\"navigate\"", "Navigate", "", "?1",
            "navigate, navigate", "navigate x", ":bmF2aWdhdGU=:",
        ])
    func `Sec-Fetch-Mode must be the token navigate`(mode: String) throws {
        #expect(try statuses { $0[.secFetchMode] = mode } == [403, 403])
    }

    @Test(
        arguments: [
            "iframe", "frame", "embed", "object", "image", "script", "\"document\"", "", "DOCUMENT", "\"empty\"",
            "Empty",
        ])
    func `Sec-Fetch-Dest must be the token document, or empty`(destination: String) throws {
        #expect(try statuses { $0[.secFetchDestination] = destination } == [403, 403])
    }

    /// What a service worker makes of a navigation, as Chromium sends it after a provider's redirect.
    private static func passOn(_ fields: inout HTTPFields) {
        fields[.secFetchDestination] = "empty"
        fields[.secFetchSite] = "cross-site"
    }

    @Test func `a service worker of this origin may pass the navigation on`() throws {
        #expect(try statuses { Self.passOn(&$0) } == [303, 303])
        var fields: HTTPFields = [.secFetchMode: "navigate"]
        Self.passOn(&fields)
        #expect(try Installation().get("/__/auth/nothing", fields: fields).text.contains("<html"))
    }

    /// Chromium asks once more where it started the navigation before the worker (`Service-Worker-Navigation-Preload`),
    /// and discards the first response, but for its cookies.
    @Test func `a callback that a worker asks for again says what happened, and leads to the app`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let response = try browser.authenticate(app)
        let first = try Location(try browser.bring(response))
        let second = try browser.get(Installation.handler + "?" + Query.encode(response)) { Self.passOn(&$0) }
        #expect(second.heading == "This sign-in is finished or was interrupted")
        #expect(second.text.contains("href=\"https://shop.example/\""))
        // Nothing is answered twice.
        #expect(second.head.headerFields[.location] == nil)
        #expect(try installation.redeem(try #require(first["code"]), app).status == 200)
        #expect(installation.provider.count("/token") == 1)
    }

    /// The mode is `navigate` in Chromium and `same-origin` in Firefox.
    @Test(arguments: ["navigate", "same-origin"], ["cross-site", "same-site", "same-origin", "none", nil])
    func `what a worker passes on may come from any site`(mode: String, site: String?) throws {
        #expect(
            try statuses {
                Self.passOn(&$0)
                $0[.secFetchMode] = mode
                $0[.secFetchSite] = site
            } == [303, 303])
    }

    @Test(arguments: ["cors", "no-cors", "", nil])
    func `a fetch of a page is no navigation`(mode: String?) throws {
        for site in ["same-origin", "cross-site"] {
            #expect(
                try statuses {
                    Self.passOn(&$0)
                    $0[.secFetchMode] = mode
                    $0[.secFetchSite] = site
                } == [403, 403])
        }
    }

    @Test func `of a form nothing is passed on but a callback`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.post(
            "/__/auth/authorize", AppClient.shop.parameters, site: .sameOrigin, origin: Installation.origin
        ) { Self.passOn(&$0) }
        #expect(response.status == 403)
    }

    /// What a route lets in.
    enum Admission {
        /// The navigation of a browser to a document, and one that a service worker of this origin passed on.
        case document
        /// The same, and the navigation of a frame.
        case silent
        /// A navigation, whatever it is for.
        case callbackForm
        /// A form of this origin.
        case ownForm
        /// Everything.
        case all
    }

    static let routes: [(HTTPRequest.Method, String, Admission)] = [
        (.get, "authorize", .document), (.get, "authorize?prompt=login", .document),
        (.get, "authorize?prompt=none", .silent), (.get, "authorize?prompt=none&response_mode=form_post", .document),
        (.post, "authorize", .document), (.post, "authorize?prompt=none", .document), (.post, "choose", .ownForm),
        (.get, "handler", .document), (.post, "handler", .callbackForm), (.head, "handler", .all),
        (.post, "continue", .ownForm), (.get, "login/site", .document), (.get, "logout", .document),
        (.post, "logout", .document), (.post, "logout/confirm", .ownForm), (.get, "logout/done", .document),
        (.post, "token", .all), (.get, "userinfo", .all), (.post, "userinfo", .all), (.post, "credential", .all),
        (.post, "revoke", .all), (.post, "introspect", .all), (.get, "jwks", .all),
        (.get, ".well-known/openid-configuration", .all), (.get, "nothing", .all),
    ]

    private static let names = ["Sec-Fetch-Mode", "Sec-Fetch-Dest", "Sec-Fetch-Site"].compactMap { HTTPField.Name($0) }

    private static func isLetIn(
        _ method: HTTPRequest.Method, _ admission: Admission, mode: String?, destination: String?, site: String?
    ) -> Bool {
        let isNavigation = mode == nil || mode == "navigate"
        let isPassedOn =
            method == .get && (mode == "navigate" || mode == "same-origin") && destination == "empty"
        let isDocument = isPassedOn || (isNavigation && (destination == nil || destination == "document"))
        return switch admission {
        case .document: isDocument
        case .silent: isDocument || (mode == "navigate" && destination == "iframe")
        case .callbackForm: isNavigation
        case .ownForm: site == nil || site == "same-origin"
        case .all: true
        }
    }

    @Test(arguments: routes)
    func `each route lets in what its table says`(
        method: HTTPRequest.Method, path: String, admission: Admission
    ) throws {
        let installation = try Installation(signInHandlers: ["site": SignInHandler { _ in .redirect() }]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
        for mode in [nil, "navigate", "same-origin", "cors", "no-cors"] {
            for destination in [nil, "document", "empty", "iframe", "image"] {
                for site in [nil, "none", "same-origin", "same-site", "cross-site"] {
                    var fields = HTTPFields()
                    for (name, value) in zip(Self.names, [mode, destination, site]) { fields[name] = value }
                    let response = try installation.request(method, "/__/auth/" + path, fields: fields)
                    let isExpected = Self.isLetIn(
                        method, admission, mode: mode, destination: destination, site: site)
                    #expect((response.status != 403) == isExpected, "\(fields) \(response.status)")
                }
            }
        }
    }

    @Test func `parameters of the items change nothing`() throws {
        #expect(
            try statuses {
                $0[.secFetchMode] = "navigate;x=1"
                $0[.secFetchDestination] = " document "
            } == [303, 303])
    }

    @Test func `two fields of one name are refused`() throws {
        #expect(
            try statuses { $0.append(HTTPField(name: .secFetchMode, value: "navigate")) } == [403, 403])
    }

    @Test(arguments: ["\"prefetch\"", "other", "", "prefetch, x"])
    func `another Sec-Purpose is not a prefetch`(value: String) throws {
        #expect(try statuses { $0[.secPurpose] = value } == [303, 303])
    }
}
