// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An authorization request that a client pushed.
struct PushedRequest: Sendable {
    let clientID: String
    let parameters: Parameters
}

extension ProviderState {
    /// The lifetime of a pushed request, in seconds.
    private static var pushedLifetime: Int64 { 600 }

    /// The parameters that authenticate the client and are not a part of the request.
    private static var proofNames: Set<String> { ["client_secret", "client_assertion", "client_assertion_type"] }

    /// The pushed authorization request endpoint (RFC 9126 section 2).
    mutating func pushAuthorization(_ request: ReceivedRequest) -> SentResponse {
        switch misbehavior {
        case .pushedAuthorizationUnavailable: return .unavailable
        case .pushedAuthorizationRefused: return .error("invalid_request", "the provider refuses every request")
        default: break
        }
        do throws(TokenRefusal) {
            let (form, client) = try authenticatedForm(request)
            var parameters = form.strings.filter { !Self.proofNames.contains($0.name) }
            // The authentication identifies the client, even if the request does not name it.
            if !form.contains("client_id") { parameters.append((name: "client_id", value: client.id)) }
            let key = try boundKey(of: client, request, at: .pushedAuthorization)
            let pushedRequest: PushedRequest
            do throws(AuthorizationRefusal) {
                pushedRequest = PushedRequest(
                    clientID: client.id,
                    parameters: try self.parameters(signedIn: Parameters(parameters), isPushed: true))
                _ = try RequestedAuthorization(pushedRequest.parameters, configuration, text: "")
            } catch {
                throw TokenRefusal.invalidRequest(error.reason)
            }
            guard !configuration.requiresSignedRequestObject || form.contains("request") else {
                throw TokenRefusal.invalidRequest("the request must be signed")
            }
            guard
                key == nil
                    || pushedRequest.parameters.strings.contains(where: { $0.name == "dpop_jkt" && $0.value == key })
            else { throw TokenRefusal.invalidRequest("dpop_jkt is not of the key of the proof") }
            let uri = "urn:ietf:params:oauth:request_uri:" + Self.randomValue()
            let now = now
            pushed.insert(pushedRequest, for: uri, expiry: now + Self.pushedLifetime, now: now)
            let response = SentResponse.json(
                ["request_uri": .string(uri), "expires_in": .number(JSONNumber(Self.pushedLifetime))],
                status: misbehavior == .pushedAuthorizationStatusOK ? 200 : 201)
            return key == nil ? response : withNonce(response)
        } catch {
            return refuse(request, error)
        }
    }
}
