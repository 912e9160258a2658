// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOConcurrencyHelpers
import NIOHTTP1

@testable import oidc_broker_demo

/// A broker's wire for accounts that responds as a test says, without a network.
final class ScriptedBroker: Sendable {
    private struct State {
        var responses: [String: (status: HTTPResponseStatus, body: JSONObject)] = [:]
        var before: [String: @Sendable () async -> Void] = [:]
        var issued = 0
    }

    private let state = NIOLockedValueBox(State())

    /// The calls of an app on this broker.
    var wire: AccountsWire {
        AccountsWire(
            issuer: "https://b.example/accounts", origin: "https://b.example", projectID: "project",
            apiKey: "sample-key",
            bundleID: "org.example.sample",
            sender: { [self] (request: HTTPClientRequest) async throws(BrokerClientError) in await respond(to: request)
            })
    }

    /// Lets a call be answered with something else than a success, from now on.
    ///
    /// - Parameter call: The end of the path, such as `accounts:lookup`.
    func answer(_ call: String, _ status: HTTPResponseStatus, _ body: JSONObject = JSONObject()) {
        state.withLockedValue { $0.responses[call] = (status, body) }
    }

    /// Lets something happen once, before a call is answered.
    func before(_ call: String, _ body: @escaping @Sendable () async -> Void) {
        state.withLockedValue { $0.before[call] = body }
    }

    private func respond(to request: HTTPClientRequest) async -> (HTTPResponseStatus, [UInt8]) {
        let path = request.url.prefix { $0 != "?" }
        let call = path.split(separator: "/").last.map { String($0) } ?? ""
        // What it answers is decided before, as by a broker whose response takes long.
        let (status, body) = answer(to: call)
        let happens = state.withLockedValue { $0.before.removeValue(forKey: call) }
        await happens?()
        return (status, body.serialized())
    }

    private func answer(to call: String) -> (HTTPResponseStatus, JSONObject) {
        state.withLockedValue { state in
            if let response = state.responses[call] { return response }
            state.issued += 1
            let token = JSONValue.string("token-\(state.issued)")
            switch call {
            case "accounts:signInWithIdp":
                // The first ID token is renewed before it is used.
                return (.ok, ["localId": "ada", "idToken": token, "refreshToken": token, "expiresIn": "30"])
            case "token":
                return (
                    .ok,
                    ["user_id": "ada", "id_token": token, "refresh_token": "token-1", "expires_in": "3600"]
                )
            case "accounts:lookup": return (.ok, ["users": [["localId": "ada"]]])
            case "accounts:update": return (.ok, JSONObject())
            default: return (.notFound, JSONObject())
            }
        }
    }
}
