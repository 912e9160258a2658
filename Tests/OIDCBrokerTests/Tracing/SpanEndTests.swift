// SPDX-License-Identifier: Apache-2.0

import NIOEmbedded
import HTTPTypes
import InMemoryTracing
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport
import Tracing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// Every span is ended once, however a request ends, and says nothing secret.
struct SpanEndTests {
    /// A way in which a request ends.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The names of the spans that fail, in the order in which they end.
        let failures: [String]
        let run: @Sendable (Installation) throws -> Void

        init(_ name: String, failures: [String] = [], _ run: @escaping @Sendable (Installation) throws -> Void) {
            testDescription = name
            self.failures = failures
            self.run = run
        }
    }

    private static func callback(
        _ installation: Installation, _ behave: (inout TestProvider.Behavior) -> Void
    ) throws {
        var browser = Browser(installation)
        let response = try browser.authenticate()
        installation.provider.behave(behave)
        _ = try browser.bring(response)
    }

    static let endings: [Ending] = [
        Ending("the provider is down at the start", failures: ["discovery", "authorize"]) {
            $0.provider.behave { $0.isDown = true }
            var browser = Browser($0)
            _ = try browser.get(AppClient.shop.target())
        },
        Ending("its metadata is none", failures: ["authorize"]) {
            $0.provider.behave { $0.metadata["issuer"] = "https://other.example" }
            var browser = Browser($0)
            _ = try browser.get(AppClient.shop.target())
        },
        Ending("the token endpoint does not respond", failures: ["token", "callback"]) {
            try callback($0) { $0.deadPaths = ["/token"] }
        },
        Ending("the token endpoint fails", failures: ["token", "callback"]) {
            try callback($0) { $0.responses["/token"] = .success(.empty(status: 500)) }
        },
        Ending("the keys do not come", failures: ["jwks", "callback"]) {
            try callback($0) { $0.deadPaths = ["/jwks"] }
        },
        Ending("the ID token is not the provider's", failures: ["callback"]) { installation in
            let strange = installation.provider.strangeKey
            try callback(installation) { $0.signingKey = strange }
        },
        Ending("the app names no client") { _ = try $0.get("/__/auth/authorize") },
        Ending("the method is another one") { _ = try $0.request(.put, "/__/auth/authorize") },
        Ending("the authority is another one") {
            var request = $0.tokenRequest([])
            (request.authority, request.validatesAuthority) = ("other.example", true)
            _ = try $0.respond(request)
        },
        Ending("the state is none") { _ = try $0.get(Installation.handler + "?state=x&code=y") },
        Ending("the callback is prefetched") {
            _ = try $0.get(Installation.handler + "?state=x&code=y", fields: [.secPurpose: "prefetch"])
        },
        Ending("the user declines") {
            var browser = Browser($0)
            let request = try browser.start()
            let state = try #require(request["state"])
            _ = try browser.bring($0.provider.refuse("access_denied", state: state))
        },
        Ending("the callback is repeated") {
            var browser = Browser($0)
            let response = try browser.authenticate()
            for _ in 0..<2 { _ = try browser.bring(response) }
        },
        Ending("no user continues") { _ = try $0.request(.post, "/__/auth/continue") },
        Ending("the code is none") { _ = try $0.redeem(HandOff().code, .shop) },
        Ending("the app does not authenticate") { _ = try $0.token([("client_id", "nobody")]) },
        Ending("the credential is none") {
            var request = $0.tokenRequest([("client_id", "shop"), ("provider", "acme"), ("id_token", "x")])
            request.path = "/__/auth/credential"
            _ = try $0.respond(request)
        },
        Ending("the revocation is not authenticated") {
            var request = $0.tokenRequest([("client_id", "shop"), ("token", "x"), ("provider", "acme")])
            request.path = "/__/auth/revoke"
            _ = try $0.respond(request)
        },
        Ending("a script asks for permission") { _ = try $0.request(.options, "/__/auth/token") },
    ]

    @Test(arguments: endings) func `each span is ended once`(ending: Ending) throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        try ending.run(installation)
        #expect(!tracer.ends.all.isEmpty)
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
        #expect(tracer.finished.count == tracer.ends.all.count)
        #expect(tracer.finished.filter(\.isFailure).map(\.operationName) == ending.failures)
        // What failed has no text of its own.
        #expect(tracer.finished.allSatisfy { $0.status?.message == nil && $0.errors.isEmpty })
    }

    @Test(arguments: 0..<6) func `each span is ended once when the store fails`(calls: Int) throws {
        let tracer = TestTracer()
        let store = FaultyStore()
        let installation = try Installation(store: store, tracer: tracer)
        let app = AppClient.shop
        var browser = Browser(installation)
        store.fail(after: calls)
        let response = try browser.bring(try browser.authenticate(app))
        let code = response.status == 303 ? try Location(response)["code"] : nil
        _ = try installation.redeem(code ?? HandOff().code, app)
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
        #expect(tracer.tree.count == 3)
    }

    @Test func `a span lasts until the response, which may come late`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        let pending = try installation.waitingCallback()
        #expect(pending.response == nil)
        #expect(tracer.ends.all.values.sorted() == [0, 0, 1, 1])
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
        #expect(tracer.tree == ["authorize(discovery)", "callback(token jwks)"])
    }

    @Test(arguments: [true, false])
    func `of a span that is not sampled nothing is left, unless a provider is told of spans`(isTold: Bool) throws {
        let tracer = TestTracer(isSampled: false)
        let installation = try Installation(tracer: tracer) {
            $0.providers[0].configuration.traceContext = isTold
        }
        let tracing = try #require(BrokerTracing(tracer))
        let span = tracing.begin(.callback, in: installation.broker.current, under: .topLevel)
        #expect((span == nil) == !isTold)
        #expect(Array(tracer.ends.all.values) == [isTold ? 0 : 1])
        span?.note(isFailure: true)
        _ = span?.ending(with: .failure(CancellationError()))
        #expect(Array(tracer.ends.all.values) == [1])
        #expect(tracer.finished.allSatisfy { $0.attributes.isEmpty && $0.status == nil })
    }

    @Test func `a span that is not sampled ends at once, and is told nothing`() throws {
        let tracer = TestTracer(isSampled: false)
        let installation = try Installation(tracer: tracer)
        let pending = try installation.waitingCallback()
        #expect(pending.response == nil)
        #expect(tracer.ends.all.values.sorted() == [1, 1])
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
        #expect(tracer.ends.all.values.sorted() == [1, 1])
        #expect(tracer.tree == ["authorize", "callback"])
        #expect(tracer.finished.allSatisfy { $0.attributes.isEmpty && $0.status == nil && $0.links.isEmpty })
    }

    @Test func `a handler of an embedding server that fails is a failure`() throws {
        struct Failure: Error {}
        let tracer = TestTracer()
        let handler = SignInHandler.future { _, eventLoop in eventLoop.makeFailedFuture(Failure()) }
        let installation = try Installation(signInHandlers: ["site": handler], tracer: tracer) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site"))
        _ = try browser.bring(installation.provider.signIn(request))
        #expect(tracer.finished.filter(\.isFailure).map { $0.text("auth.outcome") } == ["handler_failed"])
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
    }

    /// All that the spans say, as one text.
    private func text(_ tracer: TestTracer) -> String {
        tracer.finished.map { span in
            var parts = [span.operationName, "\(span.events)", "\(span.errors)", span.status?.message ?? ""]
            span.attributes.forEach { parts.append("\($0)=\($1)") }
            for link in span.links { link.attributes.forEach { parts.append("\($0)=\($1)") } }
            return parts.joined(separator: " ")
        }.joined(separator: "\n")
    }

    @Test func `no span says a code, a token, a state or a user`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer) { $0.providers[0].configuration.userInfo = true }
        installation.provider.behave { $0.announcesOptionalEndpoints = true }
        let app = AppClient.back
        var browser = Browser(installation)
        let request = try browser.start(app)
        let response = try installation.provider.signIn(request)
        let code = try #require(try Location(try browser.bring(response))["code"])
        let tokens = try installation.redeem(code, app).json()
        _ = try installation.redeem(code, app)
        var secrets = installation.provider.issuedSecrets + response.filter { $0.0 != "iss" }.map { $0.1 }
        secrets += [
            code, app.verifier, Installation.backSecret, TestProvider.subject, "ada@people.example", "Ada Lovelace",
            "state-of-the-app", "nonce-of-the-app",
        ]
        secrets += request.query.pairs.filter { ["state", "nonce", "code_challenge"].contains($0.name) }.map(\.value)
        for name in ["id_token", "access_token"] {
            secrets.append(try #require(tokens[name]?.text?.makeString()))
        }
        let text = text(tracer)
        func leaks(in text: String) -> [String] { secrets.filter { text.contains($0) } }
        #expect(secrets.count > 10 && secrets.allSatisfy { $0.utf8.count >= 8 })
        #expect(text.contains("auth.outcome"))
        #expect(leaks(in: text) == [])
        #expect(leaks(in: text + code) == [code])
    }
}
