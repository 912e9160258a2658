// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The UserInfo endpoint for apps (OpenID Connect Core 1.0 section 5.3): the claims of the ID token that came with the
/// access token.
struct UserInfoEndpoint: RequestHandling {
    let context: RequestContext

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        let response = response(to: request)
        guard request.method != .options else { return response }
        return response.flatMapThrowing { response in
            let outcome = Self.outcome(of: response.head.status)
            metrics.userInfo.increment(outcome)
            return response.noting(outcome)
        }
    }

    private static func outcome(of status: HTTPResponse.Status) -> String {
        switch status {
        case .ok: "returned"
        case .tooManyRequests: "limited"
        default: status.kind == .clientError ? "refused" : "unavailable"
        }
    }

    private func response(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        let crossOrigin = CrossOrigin(request)
        let limits = LimitResponses(context: context)
        switch request.method {
        case .options: return .value(crossOrigin.preflight(allowing: "GET, POST", snapshot: snapshot))
        case .get, .post: break
        default: return .value(limits.counted(.methodNotAllowed("GET, POST, OPTIONS")))
        }
        let text: WireText
        do throws(BearerError) {
            text = try BearerToken.read(request)
        } catch {
            return .value(crossOrigin.allowing(limits.counted(error.response), for: snapshot))
        }
        // Whose it was is known of an expired token too: a confidential app is not limited by its address.
        guard let token = AccessToken(text, openedBy: snapshot.sealer),
            let app = snapshot.app(clientID: WireText(token.clientID))
        else {
            return .value(crossOrigin.allowing(limits.counted(BearerError.invalidToken.response), for: snapshot))
        }
        if app.isPublic, let refusal = limits.refusalAfterFailures() {
            return .value(crossOrigin.allowing(refusal, for: app))
        }
        if let refusal = limits.refusal(ofRequestOf: app) { return .value(crossOrigin.allowing(refusal, for: app)) }
        guard token.isCurrent(at: services.clock.now()) else {
            let response = BearerError.invalidToken.response
            if app.isPublic { limits.countIfRefused(response) }
            return .value(crossOrigin.allowing(response, for: app))
        }
        let ended = services.store.contains(
            AccessToken.endKey(id: token.id), now: services.clock.now(), on: eventLoop)
        return .future(
            ended.map { isEnded in
                isEnded ? BearerError.invalidToken.response : Self.claims(of: token)
            }.recover { _ in TokenError.unavailable.response }.map { response in
                if app.isPublic { limits.countIfRefused(response) }
                return crossOrigin.allowing(response, for: app)
            })
    }

    /// The claims that concern the ID token and not the user.
    private static let claimsOfToken = ["iss", "aud", "nonce", "auth_time", "acr", "amr"]

    private static func claims(of token: AccessToken) -> BrokerResponse {
        guard var claims = token.claims.object else { return BearerError.invalidToken.response }
        for name in claimsOfToken { claims[name] = nil }
        return .json(claims.serialized())
    }
}
