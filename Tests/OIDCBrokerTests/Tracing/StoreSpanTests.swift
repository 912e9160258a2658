// SPDX-License-Identifier: Apache-2.0

import InMemoryTracing
import OIDCBrokerTesting
import Testing
import TestingSupport
import Tracing

@testable import OIDCBroker

/// The spans of operations of a store that replicas share.
struct StoreSpanTests {
    private let clock = TestClock()

    private func operations(_ tracer: TestTracer, of request: String) -> [String] {
        let spans = tracer.finished
        let parents = spans.filter { $0.operationName == request }.map(\.spanID)
        return spans.filter { $0.operationName == "auth.store" && parents.contains($0.parentSpanID ?? "") }
            .compactMap { $0.text("auth.store.operation") }
    }

    @Test func `each operation is a span under its request, and a start has none`() throws {
        let tracer = TestTracer()
        let installation = try Installation(clock: clock, store: ReferenceStore(clock: clock), tracer: tracer)
        let app = AppClient.shop
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
        #expect(operations(tracer, of: "authorize") == [])
        #expect(operations(tracer, of: "callback") == ["claim", "put"])
        #expect(operations(tracer, of: "token").first == "take")
        let spans = tracer.finished.filter { $0.operationName == "auth.store" }
        #expect(spans.allSatisfy { $0.kind == .client && !$0.isFailure })
        #expect(spans.allSatisfy { $0.text("auth.store.kind") == "other" })
        #expect(spans.allSatisfy { $0.text("auth.store.outcome") == "done" })
        #expect(spans.allSatisfy { $0.attributes.get("auth.store.retries") == .int64(0) })
        // Nothing else, so nothing of keys and values.
        let names: Set = [
            "auth.store.kind", "auth.store.operation", "auth.store.outcome", "auth.store.retries",
        ]
        for span in spans {
            var known: Set<String> = []
            span.attributes.forEach { name, _ in known.insert(name) }
            #expect(known == names)
            #expect(span.errors.isEmpty && span.events.isEmpty)
        }
        #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
    }

    @Test func `the store in memory has none, nor has a request that is not sampled`() throws {
        let memory = TestTracer()
        var browser = Browser(try Installation(tracer: memory))
        #expect(try browser.signIn()["code"] != nil)
        #expect(!memory.finished.contains { $0.operationName == "auth.store" })
        let unsampled = TestTracer(isSampled: false)
        var other = Browser(
            try Installation(clock: clock, store: ReferenceStore(clock: clock), tracer: unsampled))
        #expect(try other.signIn()["code"] != nil)
        #expect(!unsampled.finished.contains { $0.operationName == "auth.store" })
    }

    @Test func `one that fails says how, and how often it was tried again`() throws {
        let tracer = TestTracer()
        let store = FaultyStore()
        let installation = try Installation(clock: clock, store: store, tracer: tracer)
        store.fail(after: 0)
        var browser = Browser(installation)
        _ = try browser.signIn()
        let span = try #require(tracer.finished.first { $0.operationName == "auth.store" })
        #expect(span.text("auth.store.operation") == "claim")
        #expect(span.text("auth.store.outcome") == "timed_out")
        #expect(span.isFailure)
        #expect(span.errors.isEmpty)
        guard case .int64(let retries)? = span.attributes.get("auth.store.retries") else {
            Issue.record("no retries")
            return
        }
        // For five seconds, with pauses of a quarter of a second at most.
        #expect(retries >= 18)
    }
}
