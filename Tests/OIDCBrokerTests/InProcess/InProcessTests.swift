// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// Sign-ins whose app is the embedding server itself.
struct InProcessTests {
    /// Keeps what a handler received.
    private final class Received: Sendable {
        private let signIns = Mutex<[CompletedSignIn]>([])

        var all: [CompletedSignIn] { signIns.withLock { $0 } }

        func add(_ signIn: CompletedSignIn) { signIns.withLock { $0.append(signIn) } }
    }

    private static let session: HTTPFields = [.setCookie: "__Host-session=s; Path=/; Secure; HttpOnly; SameSite=Lax"]

    private static func installation(
        providers: [String] = ["acme"], upstreamTokens: Bool = false, _ handler: SignInHandler,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        try Installation(providers: providers, signInHandlers: ["site": handler]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            site.upstreamTokens = upstreamTokens
            $0.apps.append(site)
            configure(&$0.providers[0].configuration)
        }
    }

    private static func keeping(_ received: Received) -> SignInHandler {
        SignInHandler { signIn in
            received.add(signIn)
            return .redirect(headerFields: session)
        }
    }

    /// Begins at the login path and signs in: the response to the callback.
    private static func signIn(
        _ installation: Installation, _ target: String = "/__/auth/login/site?to=%2Forders%3Fopen%3D1"
    ) throws -> BrokerResponse {
        var browser = Browser(installation)
        let request = try Location(try browser.get(target))
        return try browser.bring(installation.provider(at: request).signIn(request))
    }

    @Test func `the server gets the verified user and answers with its own session`() throws {
        let received = Received()
        let installation = try Self.installation(Self.keeping(received))
        let response = try Self.signIn(installation)
        #expect(response.status == 303)
        #expect(response.head.headerFields[.location] == "https://auth.example.com/orders?open=1")
        #expect(response.setCookies.contains { $0.hasPrefix("__Host-session=s;") })
        #expect(response.setCookies.contains { $0.hasPrefix("__Host-oidc-") && $0.contains("Max-Age=0") })
        for field in response.head.headerFields[fields: .setCookie] where field.value.hasPrefix("__Host-session") {
            #expect(field.indexingStrategy == .disallow)
        }
        let signIn = try #require(received.all.first)
        #expect(signIn.app == "site")
        #expect(signIn.provider == "oidc.acme")
        #expect(
            signIn.subject
                == SubjectIdentifier.derive(issuer: installation.provider.issuer, subject: TestProvider.subject))
        #expect(signIn.claims.string("email") == "ada@people.example")
        #expect(signIn.claims.boolean("email_verified") == true)
        #expect(signIn.claims.string("name") == "Ada Lovelace")
        #expect(signIn.claims.string("sub") == signIn.subject)
        #expect(signIn.upstream == nil)
        #expect(signIn.unverifiedName == nil)
        #expect(signIn.destination == "/orders?open=1")
        #expect(signIn.state == nil)
        #expect(installation.log.outcomes == ["signed_in"])
    }

    @Test func `the provider's tokens are there where they are configured`() throws {
        let received = Received()
        let installation = try Self.installation(upstreamTokens: true, Self.keeping(received))
        #expect(try Self.signIn(installation).status == 303)
        #expect(received.all.first?.upstream?.accessToken != nil)
    }

    @Test func `a token that is bound to the key of the login is not handed on`() throws {
        let received = Received()
        let installation = try Self.installation(upstreamTokens: true, Self.keeping(received)) { $0.dpop = .on }
        installation.provider.behave { $0.changeTokenResponse = { $0["token_type"] = "DPoP" } }
        #expect(try Self.signIn(installation).status == 303)
        let upstream = try #require(received.all.first?.upstream)
        #expect(upstream.accessToken == nil && upstream.expiresIn == nil && upstream.refreshToken != nil)
    }

    @Test func `a token that is bound to the broker's certificate is not handed on`() throws {
        let certificate = try DevelopmentCertificate.makeForClient(name: "broker.example")
        let received = Received()
        let installation = try Self.installation(upstreamTokens: true, Self.keeping(received)) { configuration in
            configuration.clientCertificate = ClientCertificate(
                certificateChain: Array(certificate.certificatePEM.utf8), privateKey: Secret(certificate.privateKeyPEM))
            configuration.certificateBoundAccessTokens = true
        }
        #expect(try Self.signIn(installation).status == 303)
        let upstream = try #require(received.all.first?.upstream)
        #expect(upstream.accessToken == nil && upstream.expiresIn == nil && upstream.refreshToken != nil)
    }

    @Test func `the server begins a login itself, with a value of its own`() throws {
        let received = Received()
        let installation = try Self.installation(Self.keeping(received))
        var request = LoginRequest(app: "site")
        request.destination = "/basket"
        request.state = "basket-7"
        request.loginHint = "ada@people.example"
        var browser = Browser(installation)
        let begun = PendingResponse(.future(installation.broker.login(request, on: installation.eventLoop)))
        installation.eventLoop.run()
        let redirect = try #require(begun.response)
        for field in redirect.setCookies {
            let isTaken = browser.jar.take(
                field, host: CookieJar.broker, isSecure: true, now: installation.clock.now())
            #expect(isTaken)
        }
        let location = try Location(redirect)
        #expect(location["login_hint"] == "ada@people.example")
        let response = try browser.bring(installation.provider.signIn(location))
        #expect(response.head.headerFields[.location] == "https://auth.example.com/basket")
        #expect(received.all.first?.state == "basket-7")
    }

    @Test func `what cannot begin is an error with a code`() throws {
        let installation = try Self.installation(Self.keeping(Received()))
        func code(_ change: (inout LoginRequest) -> Void) -> LoginRequestError.Code? {
            var request = LoginRequest(app: "site")
            change(&request)
            let error = Mutex<(any Error)?>(nil)
            installation.broker.login(request, on: installation.eventLoop).whenFailure { failure in
                error.withLock { $0 = failure }
            }
            installation.eventLoop.run()
            return error.withLock { ($0 as? LoginRequestError)?.code }
        }
        #expect(code { $0.app = "shop" } == .unknownApp)
        #expect(code { $0.app = "nobody" } == .unknownApp)
        #expect(code { $0.destination = "//evil.example" } == .invalidDestination)
        #expect(code { $0.destination = "/__/auth/logout" } == .invalidDestination)
        #expect(code { $0.provider = "nobody" } == .unknownProvider)
        #expect(code { $0.state = String(repeating: "x", count: 129) } == .invalidValue)
        #expect(code { $0.state = "\u{E9}" } == .invalidValue)
        #expect(code { $0.loginHint = String(repeating: "x", count: 513) } == .invalidValue)
        #expect(
            code {
                $0.state = String(repeating: "x", count: 128)
                $0.destination = "/" + String(repeating: "x", count: 2047)
            } == nil)
        let texts = [LoginRequestError.Code.unknownApp, .invalidDestination, .unknownProvider, .invalidValue].map {
            LoginRequestError(code: $0).description
        }
        #expect(
            texts == [
                "the login cannot begin (unknown_app): no app of kind 'in-process' has this name in the configuration",
                "the login cannot begin (invalid_destination): the destination must be a path of at most 2,048 bytes on "
                    + "the broker's origin, and not one of its own",
                "the login cannot begin (unknown_provider): no provider with this name or ID is available to the app "
                    + "in a browser",
                "the login cannot begin (invalid_value): the state or the login hint is too long, or not printable ASCII",
            ])
    }

    @Test func `a long destination comes back, and makes the URL at the provider no longer`() throws {
        let installation = try Self.installation(Self.keeping(Received()))
        let path = "/" + String(repeating: "x", count: 2047)
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site?to=" + path))
        #expect(try #require(request["state"]).utf8.count <= 1100)
        let response = try browser.bring(installation.provider(at: request).signIn(request))
        #expect(response.head.headerFields[.location] == "https://auth.example.com" + path)
    }

    @Test func `with several providers the user chooses`() throws {
        let received = Received()
        let installation = try Self.installation(providers: ["acme", "globex"], Self.keeping(received))
        var browser = Browser(installation)
        let page = try browser.get("/__/auth/login/site?to=/orders&login_hint=ada")
        #expect(page.status == 200)
        let request = try Location(try browser.submit(page, pressing: ("provider", "globex")))
        #expect(request.base == "https://login.globex.example/authorize")
        #expect(request["login_hint"] == "ada")
        let response = try browser.bring(installation.provider(at: request).signIn(request))
        #expect(response.head.headerFields[.location] == "https://auth.example.com/orders")
        #expect(received.all.first?.provider == "oidc.globex")
        let named = try Location(try browser.get("/__/auth/login/site?provider=acme"))
        #expect(named.base == "https://login.acme.example/authorize")
    }

    @Test(arguments: [
        "?to=//evil.example", "?to=%2F%5Cevil.example", "?to=https://evil.example", "?to=/__/auth/authorize",
        "?to=/a&to=/b", "?provider=nobody", "?to=/" + String(repeating: "x", count: 2048), "?login_hint=%00",
    ])
    func `a link that is wrong ends in a page`(query: String) throws {
        let installation = try Self.installation(Self.keeping(Received()))
        let response = try installation.get("/__/auth/login/site" + query)
        #expect(response.status == 400)
        #expect(response.head.headerFields[.location] == nil)
        #expect(response.setCookies.isEmpty)
    }

    @Test func `only a navigation begins a login, by GET, of an app in process`() throws {
        let installation = try Self.installation(Self.keeping(Received()))
        let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
        #expect(try installation.get("/__/auth/login/site", fields: [mode: "no-cors"]).status == 403)
        #expect(try installation.request(.post, "/__/auth/login/site").status == 405)
        #expect(try installation.get("/__/auth/login/shop").status == 404)
        #expect(try installation.get("/__/auth/login/").status == 404)
    }

    @Test func `it is no client of the endpoints`() throws {
        let installation = try Self.installation(Self.keeping(Received()))
        let app = AppClient(clientID: "site", redirectURI: "https://auth.example.com/")
        #expect(try installation.get(app.target()).status == 400)
        let response = try installation.token(app.tokenForm("x"))
        #expect(response.status == 401)
        #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
    }

    @Test func `a redirect elsewhere is refused, and a page of the server's own is kept`() throws {
        for path in ["//evil.example", "https://evil.example", "/__/auth/logout", "orders"] {
            let installation = try Self.installation(SignInHandler { _ in .redirect(to: path) })
            let response = try Self.signIn(installation)
            #expect(response.status == 500)
            #expect(response.head.headerFields[.location] == nil)
            #expect(installation.log.outcomes == ["handler_failed"])
        }
        let page = BrokerResponse(head: HTTPResponse(status: .ok), body: ByteBuffer(string: "Welcome"))
        let installation = try Self.installation(SignInHandler { _ in .page(page) })
        let response = try Self.signIn(installation)
        #expect(response.text == "Welcome")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(response.setCookies.contains { $0.contains("Max-Age=0") })
    }

    @Test func `an error in the handler is a page from which the user can start again, and says nothing`() throws {
        struct Failure: Error, CustomStringConvertible { let description = "the password is hunter2" }
        let installation = try Self.installation(SignInHandler { _ in throw Failure() })
        let response = try Self.signIn(installation)
        #expect(response.status == 500)
        #expect(response.text.contains("/__/auth/login/site?to=%2Forders%3Fopen%3D1"))
        #expect(!response.text.contains("hunter2"))
        #expect(!installation.log.text.contains("hunter2"))
        #expect(installation.log.outcomes == ["handler_failed"])
        #expect(response.setCookies.contains { $0.contains("Max-Age=0") })
    }

    @Test func `a handler has five seconds, and what it says later is dropped`() throws {
        let promises = Mutex<[EventLoopPromise<SignInResponse>]>([])
        let installation = try Self.installation(
            .future { _, loop in
                let promise = loop.makePromise(of: SignInResponse.self)
                promises.withLock { $0.append(promise) }
                return promise.futureResult
            })
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site"))
        let pending = try browser.bringWithoutWaiting(installation.provider.signIn(request))
        installation.eventLoop.advanceTime(by: .milliseconds(4999))
        #expect(pending.response == nil)
        installation.eventLoop.advanceTime(by: .milliseconds(1))
        #expect(pending.response?.status == 500)
        promises.withLock { $0 }.first?.succeed(.redirect(headerFields: Self.session))
        installation.eventLoop.run()
        #expect(pending.response?.setCookies.contains { $0.contains("session") } == false)
        #expect(installation.log.outcomes == ["handler_failed"])
    }

    @Test func `a user who declines, or whose sign-in is old, gets a page and can start again`() throws {
        let installation = try Self.installation(Self.keeping(Received()))
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site?to=/orders"))
        let denied = try browser.bring(installation.provider.refuse(request, "access_denied"))
        #expect(denied.status == 400)
        #expect(denied.text.contains("You did not sign in"))
        #expect(denied.text.contains("/__/auth/login/site?to=%2Forders"))
        #expect(denied.head.headerFields[.location] == nil)
        installation.provider.behave { $0.isDown = true }
        let away = try browser.get("/__/auth/login/site?to=/orders")
        #expect(away.status == 303 || away.text.contains("Start again"))
    }

    @Test func `the same callback signs in once`() throws {
        let received = Received()
        let installation = try Self.installation(Self.keeping(received))
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site"))
        let answer = try installation.provider.signIn(request)
        #expect(try browser.bring(answer).status == 303)
        #expect(try browser.bring(answer).status == 400)
        #expect(received.all.count == 1)
    }

    @Test func `a handler without an app, an app without a handler, and keys of a client are errors`() throws {
        let handler = Self.keeping(Received())
        func keys(_ handlers: [String: SignInHandler], _ change: (inout BrokerConfiguration.App) -> Void = { _ in })
            -> [String]?
        {
            let error = #expect(throws: BrokerConfigurationError.self) {
                try Installation(signInHandlers: handlers) {
                    var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
                    site.kind = .inProcess
                    change(&site)
                    $0.apps.append(site)
                }
            }
            return error?.errors.map(\.key)
        }
        #expect(keys([:]) == ["auth.app.site.kind"])
        #expect(keys(["site": handler, "other": handler]) == ["auth.app.other.kind"])
        #expect(keys(["site": handler, "shop": handler]) == ["auth.app.shop.kind"])
        #expect(
            keys(["site": handler]) { $0.clientSecret = Secret("a-secret-of-24-letters-x") } == [
                "auth.app.site.client-secret"
            ])
        #expect(
            keys(["site": handler]) { $0.redirectURIs = ["https://site.example/"] } == ["auth.app.site.redirect-uris"])
        let installation = try Self.installation(handler)
        var configuration = installation.configuration
        configuration.apps.removeLast()
        #expect(throws: BrokerConfigurationError.self) { try installation.broker.reload(configuration) }
    }

    @Test func `a handler may be async`() async throws {
        let handler = SignInHandler.async { _ in .redirect(to: "/async") }
        let loop = NIOAsyncTestingEventLoop()
        let signIn = CompletedSignIn(
            app: "site", provider: "acme", subject: "s", claims: Claims([:]), upstream: nil, unverifiedName: nil,
            destination: "/", state: nil, account: nil)
        let response = try await loop.submit { handler.respond(signIn, loop) }.flatMap { $0 }.get()
        guard case .redirect("/async") = response.kind else {
            Issue.record("another response")
            return
        }
    }
}
