// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The limit of an app on its requests, `requests-per-second`.
struct AppLimitTests {
    private func installation(
        _ perSecond: Int? = 1, providers: [String] = ["acme"],
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Installation {
        try Installation(
            providers: providers, signInHandlers: ["site": SignInHandler { _ in .redirect(headerFields: [:]) }]
        ) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
            for index in $0.apps.indices { $0.apps[index].requestsPerSecond = perSecond }
            try configure(&$0)
        }
    }

    private func post(
        _ installation: Installation, _ path: String, _ form: [(String, String)], fields: HTTPFields = [:]
    ) throws -> BrokerResponse {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try installation.respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: .post, scheme: "https", authority: "auth.example.com", path: "/__/auth" + path,
                    headerFields: fields), body: ByteBuffer(string: Query.encode(form))))
    }

    private func expectLimited(
        _ response: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == 429, sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == "1", sourceLocation: sourceLocation)
        // It is not the client that asks too often.
        #expect(response.pause == nil, sourceLocation: sourceLocation)
        let error = try response.json()["error"]?.text?.makeString()
        #expect(error == "temporarily_unavailable", sourceLocation: sourceLocation)
    }

    @Test(arguments: ["/token", "/credential", "/revoke"])
    func `requests of an app are limited, ten times the rate at once, and those of another are not`(path: String) throws
    {
        let installation = try installation()
        let origin: HTTPFields = [.origin: "https://shop.example"]
        for number in 1...10 {
            let status = try post(installation, path, [("client_id", "shop")], fields: origin).status
            #expect(status != 429, "request \(number)")
        }
        let refusal = try post(installation, path, [("client_id", "shop")], fields: origin)
        try expectLimited(refusal)
        #expect(refusal.head.headerFields[.accessControlAllowOrigin] == "https://shop.example")
        let basic = Installation.basic("back-office", Installation.backSecret)
        #expect(try post(installation, path, [], fields: basic).status == 400)
        installation.clock.advance(by: 1)
        #expect(try post(installation, path, [("client_id", "shop")]).status != 429)
        try expectLimited(try post(installation, path, [("client_id", "shop")]))
    }

    @Test func `who does not authenticate as a confidential app does not use its requests up`() throws {
        let installation = try installation()
        for _ in 0..<50 {
            let form = [("client_id", "back-office"), ("client_secret", "wrong")]
            #expect(try post(installation, "/token", form).status == 401)
        }
        let app = AppClient.back
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `UserInfo counts for the app of its token`() throws {
        let installation = try installation()
        let app = AppClient.back
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        let token = try #require(try installation.redeem(code, app).json()["access_token"]?.text?.makeString())
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        // One of ten was the redemption.
        for _ in 0..<9 { #expect(try installation.get("/__/auth/userinfo", fields: fields).status == 200) }
        try expectLimited(try installation.get("/__/auth/userinfo", fields: fields))
    }

    @Test func `starts are limited by a page, and are apart from what the app may redeem`() throws {
        let installation = try installation()
        let app = AppClient.shop
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        for number in 2...10 { #expect(try browser.get(app.target()).status == 303, "start \(number)") }
        let page = try browser.get(app.target())
        #expect(page.status == 429)
        #expect(page.heading == "Signing in is not possible right now")
        #expect(page.head.headerFields[.retryAfter] == "1")
        #expect(page.setCookies.isEmpty)
        #expect(try browser.get(AppClient.back.target()).status == 303)
        // Anyone can send starts in the name of an app.
        #expect(try installation.redeem(code, app).status == 200)
        installation.clock.advance(by: 1)
        #expect(try browser.signIn(app)["code"] != nil)
    }

    @Test func `the page of a refused start is the same bytes for each app until another line is written`() throws {
        let installation = try installation()
        var browser = Browser(installation)
        let apps = [AppClient.shop, .back]
        func place(_ response: BrokerResponse) -> UInt {
            response.body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        }
        for app in apps { for _ in 0..<10 { #expect(try browser.get(app.target()).status == 303) } }
        let pages = try apps.map { try browser.get($0.target()) }
        #expect(pages.allSatisfy { $0.status == 429 } && pages[0].text != pages[1].text)
        #expect(try apps.map { place(try browser.get($0.target())) } == pages.map(place))
        installation.clock.advance(by: 1)
        for app in apps { #expect(try browser.get(app.target()).status == 303) }
        let next = try browser.get(apps[0].target())
        #expect(next.status == 429 && next.text != pages[0].text)
    }

    @Test func `a start with a foreign redirect URI is not the app's`() throws {
        let installation = try installation()
        let browser = Browser(installation)
        for _ in 0..<30 {
            var browser = browser
            #expect(try browser.get(AppClient.shop.target(["redirect_uri": "https://thief.example/"])).status == 400)
        }
        var person = browser
        #expect(try person.signIn()["code"] != nil)
    }

    @Test func `a further choice of a provider on the same page counts, since it begins a login each time`() throws {
        let installation = try installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        // The page was the first of ten starts, and the first choice goes with it.
        for number in 1...10 {
            let status = try browser.submit(page, pressing: ("provider", "acme")).status
            #expect(status == 303, "choice \(number)")
        }
        let refusal = try browser.submit(page, pressing: ("provider", "acme"))
        #expect(refusal.status == 429)
        installation.clock.advance(by: 1)
        #expect(try browser.submit(page, pressing: ("provider", "acme")).status == 303)
    }

    @Test(arguments: [AppClient.shop.target(), "/__/auth/login/site"])
    func `who got the page may choose, although others have used the starts up`(target: String) throws {
        let installation = try installation(providers: ["acme", "globex"])
        var people: [(browser: Browser, page: BrokerResponse)] = []
        for _ in 0..<10 {
            var browser = Browser(installation)
            let page = try browser.get(target)
            #expect(page.status == 200)
            people.append((browser, page))
        }
        var late = Browser(installation)
        #expect(try late.get(target).status == 429)
        for index in people.indices {
            let page = people[index].page
            #expect(try people[index].browser.submit(page, pressing: ("provider", "globex")).status == 303)
        }
        // Once: a page is not good for any number of logins.
        for index in people.indices {
            let page = people[index].page
            #expect(try people[index].browser.submit(page, pressing: ("provider", "globex")).status == 429)
        }
        installation.clock.advance(by: 1)
        #expect(try late.get(target).status == 200)
    }

    @Test func `logins in process are limited too`() throws {
        let installation = try installation()
        var browser = Browser(installation)
        for _ in 0..<10 { #expect(try browser.get("/__/auth/login/site").status == 303) }
        #expect(try browser.get("/__/auth/login/site").status == 429)
        let login = installation.broker.login(LoginRequest(app: "site"), on: installation.eventLoop)
        #expect(try login.wait().status == 429)
    }

    @Test func `without the key there is no limit`() throws {
        let installation = try installation(nil)
        for _ in 0..<300 { #expect(try post(installation, "/token", [("client_id", "shop")]).status == 400) }
    }

    @Test func `a reload keeps what was counted, by the name of the app`() throws {
        let installation = try installation()
        for _ in 0..<10 { _ = try post(installation, "/token", [("client_id", "shop")]) }
        var configuration = installation.configuration
        configuration.apps[0].redirectURIs.append("https://shop.example/other")
        try installation.broker.reload(configuration)
        try expectLimited(try post(installation, "/token", [("client_id", "shop")]))
        configuration.apps[0].requestsPerSecond = nil
        try installation.broker.reload(configuration)
        #expect(try post(installation, "/token", [("client_id", "shop")]).status == 400)
    }

    @Test(arguments: [0, -1, 1_000_001, Int.max, Int.min])
    func `the key takes 1 to 1,000,000`(perSecond: Int) {
        let error = #expect(throws: BrokerConfigurationError.self) { _ = try installation(perSecond) }
        #expect(error?.errors.contains { $0.key == "auth.app.shop.requests-per-second" } == true)
    }

    @Test(arguments: [1, 1_000_000]) func `and both of its bounds`(perSecond: Int) throws {
        #expect(throws: Never.self) { _ = try installation(perSecond) }
    }
}
