// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import InMemoryTracing
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport
import Tracing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Where the spans of requests stand, and what a provider is told of them.
struct TraceParentTests {
    private static let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func request(_ installation: Installation) -> BrokerRequest {
        installation.tokenRequest([("grant_type", "authorization_code"), ("client_id", "shop")])
    }

    @Test func `the span stands under that of the embedding server`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        let server = tracer.startSpan("server", context: .topLevel, ofKind: .server)
        var request = self.request(installation)
        request.serviceContext = server.context
        #expect(request.serviceContext?.inMemorySpanContext == server.span.spanContext)
        _ = try installation.respond(request)
        #expect(tracer.finished.map(\.parentSpanID) == [server.span.spanID])
        #expect(tracer.finished.map(\.traceID) == [server.span.traceID])
        request.serviceContext = nil
        _ = try installation.respond(request)
        #expect(tracer.finished.map(\.parentSpanID) == [server.span.spanID, nil])
    }

    @Test func `the span stands under that of a trusted proxy`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        var request = self.request(installation)
        request.traceOrigin = .fields(try #require(TraceFields(parentLines: [Self.text], stateLines: [])))
        _ = try installation.respond(request)
        #expect(tracer.finished.map(\.traceID) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
        #expect(tracer.finished.map(\.parentSpanID) == ["00f067aa0ba902b7"])
    }

    @Test func `the fields and the context of the task say nothing to the broker itself`() throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer)
        let other = tracer.startSpan("task", context: .topLevel, ofKind: .internal)
        try ServiceContext.withValue(other.context) {
            let name = try #require(HTTPField.Name("traceparent"))
            _ = try installation.token([("grant_type", "authorization_code")], fields: [name: Self.text])
        }
        #expect(tracer.finished.map(\.parentSpanID) == [nil])
        #expect(tracer.finished.first?.traceID != "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(arguments: [true, false])
    func `a provider is told of the span only if that is configured`(isTold: Bool) throws {
        let tracer = TestTracer()
        let installation = try Installation(tracer: tracer) {
            $0.providers[0].configuration.traceContext = isTold
        }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        let requests = installation.provider.requests
        #expect(requests.count == 3)
        let clients = tracer.finished.filter { $0.kind == .client }
        for request in requests {
            guard isTold else {
                #expect(request.additionalFields.isEmpty)
                continue
            }
            #expect(request.additionalFields.map(\.name) == ["traceparent", "tracestate"])
            let sent = try #require(request.additionalFields.first.flatMap { TraceParent($0.value) })
            #expect(clients.contains { sent.text == "00-\($0.traceID)-\($0.spanID)-01" })
        }
    }

    @Test(arguments: [true, false])
    func `under a span that is not sampled no span is begun, unless the provider is told of it`(isTold: Bool) throws {
        let tracer = TestTracer(isSampled: false)
        let installation = try Installation(tracer: tracer) {
            $0.providers[0].configuration.traceContext = isTold
        }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        #expect(tracer.finished.count { $0.kind == .server } == 2)
        #expect(tracer.finished.count { $0.kind == .client } == (isTold ? 3 : 0))
        let fields = installation.provider.requests.compactMap(\.additionalFields.first)
        #expect(fields.map { TraceParent($0.value)?.isSampled } == (isTold ? [false, false, false] : []))
    }

    @Test func `without a tracer a provider is told nothing, and requests are not traced`() throws {
        for tracer in [nil, NoOpTracer()] as [(any Tracer)?] {
            let installation = try Installation(tracer: tracer) { $0.providers[0].configuration.traceContext = true }
            #expect(!installation.broker.tracesRequests)
            var browser = Browser(installation)
            #expect(try browser.signIn()["code"] != nil)
            #expect(installation.provider.requests.allSatisfy { $0.additionalFields.isEmpty })
        }
    }

    @Test func `the tracer is the current one when the broker is made`() throws {
        let tracer = TestTracer()
        let installation = try withTracer(tracer) { () throws -> Installation in try Installation() }
        #expect(installation.broker.tracesRequests)
        _ = try installation.token([])
        #expect(tracer.finished.map(\.operationName) == ["token"])
        let before = try Installation()
        try withTracer(tracer) { () throws -> Void in _ = try before.token([]) }
        #expect(tracer.finished.count == 1)
    }
}
