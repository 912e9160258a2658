// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOHTTP1
public import OpenIDRelyingParty

/// What the listener for operators answers: `/healthz`, `/readyz`, `/readyz/store` and `/metrics`.
public struct OperationsEndpoints: Sendable {
    private let readiness: ReadinessState
    private let loops: EventLoopWatch
    private let report: @Sendable () -> HealthReport
    private let metrics: any MetricsExposition
    private let sources: [OperationsSource]
    private let rendered: RenderedMetrics

    /// Creates the endpoints.
    /// - Parameters:
    ///   - readiness: What `/readyz` says.
    ///   - loops: The event loops that `/healthz` asks.
    ///   - report: A closure that makes the report of this moment. It must not block.
    ///   - metrics: What writes the metrics that the backend keeps.
    ///   - sources: What is read at each scrape in addition.
    ///   - clock: The clock of the metrics, whose text is made once a second at most.
    public init(
        readiness: ReadinessState, loops: EventLoopWatch, report: @escaping @Sendable () -> HealthReport,
        metrics: any MetricsExposition, sources: [OperationsSource] = [],
        clock: any ElapsedClock = SystemElapsedClock()
    ) {
        self.readiness = readiness
        self.loops = loops
        self.report = report
        self.metrics = metrics
        self.sources = sources
        rendered = RenderedMetrics(clock: clock)
    }

    /// Whether a target is that of the metrics, whose responses are large.
    static func isMetrics(_ target: String) -> Bool { path(of: target).hasSameBytes(as: "/metrics") }

    /// Responds to a request. The future does not fail while the event loop runs.
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The request target as received. Its query is not read.
    ///   - accept: The `Accept` fields, with commas between them.
    ///   - eventLoop: The listener's own event loop, which is not one of those that are watched.
    func respond(
        to method: HTTPMethod, target: String, accept: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<OperationsResponse> {
        let path = Self.path(of: target)
        let isHealth = path.hasSameBytes(as: "/healthz")
        let isReadiness = path.hasSameBytes(as: "/readyz")
        let isReadinessWithStore = path.hasSameBytes(as: "/readyz/store")
        guard isHealth || isReadiness || isReadinessWithStore || Self.isMetrics(target) else {
            return eventLoop.makeSucceededFuture(
                .text(.notFound, "Available: /healthz, /readyz, /readyz/store and /metrics.\n"))
        }
        switch method {
        case .GET, .HEAD: break
        default:
            var response = OperationsResponse.text(.methodNotAllowed, "Only GET and HEAD.\n")
            response.allow = "GET, HEAD"
            return eventLoop.makeSucceededFuture(response)
        }
        if isReadiness || isReadinessWithStore {
            return eventLoop.makeSucceededFuture(readinessResponse(needsStore: isReadinessWithStore))
        }
        if isHealth { return loops.stuckLoops(on: eventLoop).map { healthResponse(stuck: $0) } }
        let format = ExpositionFormat(accept: accept.utf8)
        let text = rendered.text(format) { metrics.exposition(format, scraped: sources.flatMap { $0.samples() }) }
        return eventLoop.makeSucceededFuture(
            OperationsResponse(status: .ok, contentType: format.contentType, body: text))
    }

    private func healthResponse(stuck: Int) -> OperationsResponse {
        .json(
            stuck == 0 ? .ok : .serviceUnavailable,
            report().json(status: stuck == 0 ? "ok" : "stuck", loops: (loops.count, stuck)))
    }

    /// - Parameter needsStore: Whether a server whose store is away is not ready. That is for a load balancer that leaves
    ///   out the one replica that is cut off from the store. Where the store is away for all of them, it would leave out all.
    private func readinessResponse(needsStore: Bool) -> OperationsResponse {
        let (phase, report) = (readiness.phase, report())
        let isReady = phase == .ready && !(needsStore && report.isStoreAway)
        return .json(isReady ? .ok : .serviceUnavailable, report.json(status: phase.rawValue, loops: nil))
    }

    private static func path(of target: String) -> Substring {
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.utf8.endIndex
        return target[..<end]
    }
}

/// A response to an operator.
struct OperationsResponse: Sendable {
    var status: HTTPResponseStatus
    var contentType: String
    var body: ByteBuffer
    /// The methods of the resource, where the one of the request is not among them.
    var allow: String?

    /// A line of text.
    static func text(_ status: HTTPResponseStatus, _ line: String) -> OperationsResponse {
        OperationsResponse(status: status, contentType: "text/plain; charset=utf-8", body: ByteBuffer(string: line))
    }

    /// A JSON document.
    static func json(_ status: HTTPResponseStatus, _ document: [UInt8]) -> OperationsResponse {
        OperationsResponse(status: status, contentType: "application/json", body: ByteBuffer(bytes: document))
    }
}
