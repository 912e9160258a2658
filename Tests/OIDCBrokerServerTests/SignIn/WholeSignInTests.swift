// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerServer
import AsyncHTTPClient
import JOSE
import NIOHTTP1
import OIDCBroker
import OIDCBrokerState
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

/// App, broker, provider, broker, app: on sockets with TLS, verified by another implementation.
@Suite(.timeLimit(.minutes(10))) struct WholeSignInTests {
    @Test(arguments: [.rs256, .es256, .ps256, .eddsa, .ed25519] as [OpenIDProvider.SigningAlgorithm])
    func `a sign-in without pages, for each algorithm of the provider`(
        algorithm: OpenIDProvider.SigningAlgorithm
    ) async throws {
        var options = SignInFixture.Options()
        options.signingAlgorithm = algorithm
        try await SignInFixture.run(options) { fixture in
            let token = try await fixture.signInAndVerify(fixture.browser())
            #expect(token.upstreamSubject == "person-ada")
            #expect(token.email == "ada@example.com")
            #expect(token.isEmailVerified == true)
            #expect(token.name == "Ada Example")
            #expect(
                token.subject == SubjectIdentifier.derive(issuer: fixture.provider.issuer, subject: "person-ada"))
            #expect(
                fixture.askedPaths == [
                    "GET /.well-known/openid-configuration", "GET /authorize", "POST /token", "GET /jwks",
                ])
            // The next one needs neither metadata nor keys, and gives the same user.
            fixture.provider.resetRecordedRequests()
            let again = try await fixture.signInAndVerify(fixture.browser())
            #expect(again.subject == token.subject)
            #expect(fixture.askedPaths == ["GET /authorize", "POST /token"])
        }
    }

    @Test(arguments: [OpenIDProvider.SigningAlgorithm.rs256, .es256])
    func `a sign-in over AsyncHTTPClient, with all that a sign-in may ask of the provider`(
        algorithm: OpenIDProvider.SigningAlgorithm
    ) async throws {
        var options = SignInFixture.Options()
        options.signingAlgorithm = algorithm
        options.transportKind = .asyncHTTPClient
        options.userInfo = true
        options.pushedAuthorization = true
        try await SignInFixture.run(options) { fixture in
            let token = try await fixture.signInAndVerify(fixture.browser())
            #expect(token.upstreamSubject == "person-ada")
            #expect(token.email == "ada@example.com")
            #expect(fixture.provider.steps == ProviderStep.way(fixture.options))
            fixture.provider.resetRecordedRequests()
            let again = try await fixture.signInAndVerify(fixture.browser())
            #expect(again.subject == token.subject)
            #expect(fixture.provider.steps == [.pushedAuthorization, .authorization, .token, .userInfo])
        }
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `browsers reach the provider by one name, and the broker by another without TLS`(
        transport: ProviderTransportKind
    ) async throws {
        var options = SignInFixture.Options()
        options.hasInnerName = true
        options.userInfo = true
        options.pushedAuthorization = true
        options.transportKind = transport
        try await SignInFixture.run(options) { fixture in
            let provider = fixture.provider
            let token = try await fixture.signInAndVerify(fixture.browser())
            #expect(token.upstreamSubject == "person-ada")
            #expect(token.subject == SubjectIdentifier.derive(issuer: provider.issuer, subject: "person-ada"))
            #expect(provider.steps == ProviderStep.way(options))
            let inner = try #require(provider.innerOrigin)
            #expect(provider.issuer.hasPrefix("https://") && inner.hasPrefix("http://"))
            for request in provider.recordedRequests() {
                let host = try #require(request.header("host"))
                let isOfBrowser = request.path == "/authorize"
                #expect(
                    (isOfBrowser ? "https://" : "http://") + host == (isOfBrowser ? provider.issuer : inner),
                    "\(request.path)")
            }
            #expect(provider.violations().isEmpty)
        }
    }

    @Test(arguments: [OpenIDProvider.SigningAlgorithm.rs256, .es256], [ResponseMode.query, .formPost])
    func `a user signs in on the provider's pages`(
        algorithm: OpenIDProvider.SigningAlgorithm, mode: ResponseMode
    ) async throws {
        var options = SignInFixture.Options()
        options.signingAlgorithm = algorithm
        options.interaction = .page
        options.responseMode = mode
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let login = try await fixture.goToProvider(browser, .publicApp, attempt)
            let response = try await fixture.passPages(browser, login, as: SignInFixture.grace)
            let cookies = await browser.jar.cookies
            #expect(cookies.map(\.sameSite) == [mode == .formPost ? "none" : "lax"])
            let page = try await fixture.comeBack(browser, response)
            let token = try await fixture.redeemAndVerify(try AppResponse(page, app: .publicApp), .publicApp, attempt)
                .token
            #expect(token.upstreamSubject == "person-grace")
            #expect(token.email == "grace@example.com")
            #expect(await browser.jar.cookies.isEmpty, "the callback deletes its cookie")
        }
    }

    @Test(arguments: [true, false])
    func `a sign-in over HTTP/2 and over HTTP/1.1`(isHTTP2: Bool) async throws {
        var options = SignInFixture.Options()
        options.version = isHTTP2 ? .automatic : .http1Only
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let start = try await fixture.start(browser, .publicApp, attempt)
            #expect(start.version == (isHTTP2 ? .http2 : .http1_1))
            let response = try await browser.open(try #require(start.location))
            let end = try await fixture.comeBack(browser, response)
            #expect(end.version == (isHTTP2 ? .http2 : .http1_1))
            _ = try await fixture.redeemAndVerify(try AppResponse(end, app: .publicApp), .publicApp, attempt)
        }
    }

    @Test(arguments: [ClientAuthenticationMethod.clientSecretBasic, .clientSecretPost])
    func `the broker authenticates to the provider as configured`(method: ClientAuthenticationMethod) async throws {
        var options = SignInFixture.Options()
        options.clientAuthentication = method
        try await SignInFixture.run(options) { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            let request = try #require(fixture.provider.recordedRequests().first { $0.path == "/token" })
            let isBasic = method == .clientSecretBasic
            #expect((request.header("authorization") != nil) == isBasic)
            #expect((request.parameter("client_secret") != nil) == !isBasic)
            #expect(request.parameter("code_verifier")?.utf8.count == 43)
        }
    }

    @Test func `the login cookie has every attribute that protects it`() async throws {
        try await SignInFixture.run { fixture in
            let browser = fixture.browser()
            let page = try await fixture.start(browser, .publicApp, AppClient.Attempt())
            let cookies = await browser.jar.cookies
            let cookie = try #require(cookies.first)
            #expect(cookies.count == 1)
            #expect(cookie.name.hasPrefix("__Host-oidc-"))
            #expect(cookie.isSecure && cookie.isHTTPOnly)
            #expect(cookie.path == "/")
            #expect(cookie.maximumAge == 600)
            #expect(cookie.sameSite == "lax")
            let location = try #require(page.location)
            #expect(!location.contains(cookie.value), "the binding value lives in the cookie only")
        }
    }

    @Test func `ten users at once get each their own`() async throws {
        var options = SignInFixture.Options()
        options.interaction = .page
        try await SignInFixture.run(options) { fixture in
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        let person = number.isMultiple(of: 2) ? SignInFixture.ada : SignInFixture.grace
                        let browser = fixture.browser()
                        let attempt = AppClient.Attempt()
                        let login = try await fixture.goToProvider(browser, .publicApp, attempt)
                        let response = try await fixture.passPages(browser, login, as: person)
                        let page = try await fixture.comeBack(browser, response)
                        let appResponse = try AppResponse(page, app: .publicApp)
                        let token = try await fixture.redeemAndVerify(appResponse, .publicApp, attempt).token
                        #expect(token.upstreamSubject == person.subject)
                        return try #require(appResponse.code)
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(codes.count == 10)
            // However many wait: metadata and keys are fetched by one request each.
            let paths = fixture.askedPaths
            #expect(paths.count { $0 == "GET /.well-known/openid-configuration" } == 1)
            #expect(paths.count { $0 == "GET /jwks" } == 1)
            #expect(paths.count { $0 == "POST /token" } == 10)
        }
    }
}
