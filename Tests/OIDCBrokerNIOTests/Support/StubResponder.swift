// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
@testable import OIDCBroker
@testable import OIDCBrokerHTTP
import OIDCBrokerNIO
import Synchronization
import OpenIDRelyingParty

/// A broker that handles `/__/auth/` and responds as told: at once, or when the test completes the promise.
final class StubResponder: BrokerResponder {
    struct Seen: Sendable {
        var method: String
        var authority: String?
        var path: String?
        var fields: HTTPFields
        var body: String
        var bodyBytes: Int
        var validatesAuthority: Bool
        var client: IPAddress?
        /// What a trusted proxy told of its span.
        var traceFields: TraceFields?
    }

    private struct State {
        var seen: [Seen] = []
        var answersLater = false
        var promises: [EventLoopPromise<BrokerResponse>] = []
        var response: BrokerResponse?
        var unreadable = 0
        var refusedBodies: [BodyLimit] = []
    }

    let limits = BrokerLimits()
    let memory = MemoryBudget(bytes: 256 << 20)
    let tracesRequests: Bool
    private let state = Mutex(State())

    init(answersLater: Bool = false, response: BrokerResponse? = nil, tracesRequests: Bool = false) {
        self.tracesRequests = tracesRequests
        self.state.withLock {
            $0.answersLater = answersLater
            $0.response = response
        }
    }

    func handles(path: String) -> Bool {
        path.utf8.starts(with: "/__/auth/".utf8)
    }

    func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
        let body = String(buffer: request.body)
        let traceFields: TraceFields? =
            if case .fields(let fields) = request.traceOrigin { fields } else { nil }
        let seen = Seen(
            method: request.method.rawValue, authority: request.authority, path: request.path,
            fields: request.headerFields, body: body, bodyBytes: request.body.readableBytes,
            validatesAuthority: request.validatesAuthority, client: request.client,
            traceFields: traceFields)
        return self.state.withLock { state in
            state.seen.append(seen)
            guard state.answersLater else {
                return .value(state.response ?? Self.response("broker \(request.path ?? "")"))
            }
            let promise = eventLoop.makePromise(of: BrokerResponse.self)
            state.promises.append(promise)
            return .future(promise.futureResult)
        }
    }

    /// The path of a form whose page is the broker's if it is too long.
    static let formPath = "/__/auth/form-of-a-provider"

    func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse {
        request.path == Self.formPath ? .plain(status: response.head.status, "a page of the broker\n") : response
    }

    var seen: [Seen] { self.state.withLock { $0.seen } }

    /// How many forwarding fields could not be read.
    var unreadableForwardings: Int { self.state.withLock { $0.unreadable } }

    func countUnreadableForwarding() { self.state.withLock { $0.unreadable += 1 } }

    /// The limits that refused bodies would have exceeded.
    var refusedBodies: [BodyLimit] { self.state.withLock { $0.refusedBodies } }

    func countRefusedBody(_ limit: BodyLimit) { self.state.withLock { $0.refusedBodies.append(limit) } }

    /// Answers the oldest request that has no response, if there is one; without a given response its path becomes the
    /// body.
    func answer(_ given: BrokerResponse? = nil) {
        let response: (promise: EventLoopPromise<BrokerResponse>, path: String)? = self.state.withLock { state in
            guard !state.promises.isEmpty else { return nil }
            let path = state.seen[state.seen.count - state.promises.count].path
            return (state.promises.removeFirst(), path ?? "")
        }
        guard let response else { return }
        response.promise.succeed(given ?? Self.response("broker \(response.path)"))
        response.promise.futureResult.eventLoop.endTurn()
    }

    /// Fails the oldest request that has no response.
    func fail() {
        struct Failure: Error {}
        let promise = self.state.withLock { $0.promises.isEmpty ? nil : $0.promises.removeFirst() }
        promise?.fail(Failure())
        promise?.futureResult.eventLoop.endTurn()
    }

    static func response(_ text: String, status: HTTPResponse.Status = .ok) -> BrokerResponse {
        var response = BrokerResponse.plain(status: status, "")
        response.head = HTTPResponse(status: status)
        response.body = ByteBuffer(string: text)
        return response
    }
}
