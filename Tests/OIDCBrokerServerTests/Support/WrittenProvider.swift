// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import OIDCBrokerTesting
import Synchronization

/// A provider over TLS whose responses are written beforehand, one for each path. It computes nothing, so that all code
/// of ours that runs while it is asked is the broker's.
final class WrittenProvider: Sendable {
    private struct State {
        var issuer = ""
        var responses: [String: [UInt8]] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())

    /// The issuer, which is the origin that it listens on.
    var issuer: String { state.withLock { $0.issuer } }

    /// The paths that it was asked for, in their order, behind their methods.
    var asked: [String] { state.withLock { $0.asked } }

    /// Sets the response to requests for a path: JSON.
    func write(_ response: [UInt8], at path: String) {
        state.withLock { $0.responses[path] = response }
    }

    /// Runs a body while the provider listens.
    static func run<Value>(
        certificate: DevelopmentCertificate, _ body: (WrittenProvider) async throws -> Value
    ) async throws -> Value {
        let provider = WrittenProvider()
        return try await AnsweringServer.run(certificate: certificate) { head, _ in
            provider.answer(to: head)
        } body: { origin in
            provider.state.withLock { $0.issuer = origin }
            return try await body(provider)
        }
    }

    /// The response to a request; 404 where nothing was written for its path.
    private func answer(to head: HTTPRequestHead) -> AnsweringServer.Answer {
        state.withLock { state in
            state.asked.append("\(head.method.rawValue) \(head.uri)")
            let body = state.responses[head.uri]
            return AnsweringServer.Answer(
                status: body == nil ? .notFound : .ok, headers: ["content-type": "application/json"], body: body ?? [])
        }
    }
}
