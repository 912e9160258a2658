// SPDX-License-Identifier: Apache-2.0

import InMemoryTracing
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport
import Tracing

@testable import OIDCBroker
@testable import OIDCBrokerState

/// A callback is in a trace of its own, which links to that of its start.
struct StartLinkTests {
    private func spans(_ tracer: TestTracer, _ name: String) -> [FinishedInMemorySpan] {
        tracer.finished.filter { $0.operationName == name }
    }

    @Test func `a callback links to its own start`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        for _ in 0..<2 {
            var browser = Browser(installation)
            #expect(try browser.signIn()["code"] != nil)
        }
        let (starts, callbacks) = (spans(tracer, "authorize"), spans(tracer, "callback"))
        #expect(callbacks.count == 2 && callbacks.allSatisfy { $0.links.count == 1 })
        #expect(callbacks.map { $0.linked?.spanID } == starts.map(\.spanID))
        #expect(callbacks.map { $0.linked?.traceID } == starts.map(\.traceID))
        #expect(Set(starts.map(\.traceID)).isDisjoint(with: callbacks.map(\.traceID)))
    }

    @Test func `a callback that fails links as well, and one without a login does not`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        var browser = Browser(installation)
        let response = try browser.authenticate()
        // Without the cookie, then too late, then with a state that is none.
        var other = Browser(installation)
        _ = try other.bring(response)
        installation.clock.advance(by: LoginState.lifetime + 1)
        _ = try browser.bring(response)
        _ = try browser.bring([("state", "none"), ("code", "x")])
        let start = try #require(spans(tracer, "authorize").first)
        let callbacks = spans(tracer, "callback")
        #expect(callbacks.map { $0.text("auth.outcome") } == ["other_browser", "expired", "unknown_state"])
        #expect(callbacks.map { $0.linked?.spanID } == [start.spanID, start.spanID, nil])
    }

    private func state(_ location: Location, _ installation: Installation) throws -> LoginState {
        let sealed = try #require(location["state"])
        let opened = try #require(installation.broker.current.sealer.open(WireText(sealed), for: .login))
        return try #require(LoginState(encoded: opened.plaintext))
    }

    @Test(arguments: [true, false])
    func `the state has a start only if that is sampled`(isSampled: Bool) throws {
        let tracer = TestTracer(isSampled: isSampled)
        let installation = try Installation(tracer: tracer)
        var browser = Browser(installation)
        let request = try browser.start()
        #expect((try state(request, installation).start != nil) == isSampled)
        #expect(try browser.bring(try installation.provider.signIn(request)).status == 303)
        #expect(spans(tracer, "callback").map { $0.links.count } == [isSampled ? 1 : 0])
        // Unrecorded spans are not reported.
        if !isSampled { #expect(tracer.finished.allSatisfy { $0.text("auth.endpoint") == nil }) }
    }

    @Test func `without room for it the start is left out, and the sign-in goes on`() throws {
        let tracer = TestTracer()
        let installation = try Installation(providers: ["acmebyanameofexactly32characters"], tracer: tracer)
        var counts: Set<Int> = []
        for length in stride(from: 400, through: 512, by: 4) {
            var app = AppClient.shop
            app.state = String(repeating: "s", count: length)
            app.nonce = String(repeating: "n", count: 128)
            var browser = Browser(installation)
            let request = try browser.start(app)
            let sealed = try #require(request["state"])
            #expect(sealed.utf8.count <= StateSealer.maximumStateLength)
            let state = try state(request, installation)
            // Left out exactly where it does not fit.
            var bare = state
            bare.start = nil
            let fits = StateSealer.fits(bare.encoded.count + TraceParent.byteCount, for: .login)
            #expect((state.start != nil) == fits, "\(length)")
            let location = try Location(try browser.bring(try installation.provider.signIn(request)))
            #expect(location["code"] != nil)
            counts.insert(try #require(spans(tracer, "callback").last).links.count)
        }
        #expect(counts == [0, 1])
    }

    @Test func `a value fits if and only if its text is short enough`() throws {
        let sealer = StateSealer(keys: [LoginKeys(sealingKey: Array(repeating: 1, count: 32))], issuer: "i")
        for count in 700...900 {
            let isSealed = sealer.seal([UInt8](repeating: 0, count: count), for: .login) != nil
            #expect(StateSealer.fits(count, for: .login) == isSealed, "\(count)")
        }
    }

    @Test func `a state from before the update opens, with a tracer and without`() throws {
        let tracer = TestTracer()
        let before = try Installation()
        var browser = Browser(before)
        let response = try browser.authenticate()
        let after = try Installation(stubs: before.providers, clock: before.clock, tracer: tracer)
        browser.installation = after
        #expect(try Location(try browser.bring(response))["code"] != nil)
        #expect(spans(tracer, "callback").map { $0.links.count } == [0])
        // And the other way round: the tracer was taken away.
        var second = Browser(after)
        let next = try second.authenticate()
        second.installation = before
        #expect(try Location(try second.bring(next))["code"] != nil)
    }
}
