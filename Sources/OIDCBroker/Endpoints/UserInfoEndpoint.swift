// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The UserInfo endpoint for apps (OpenID Connect Core 1.0 section 5.3): the claims of the ID token that came with the
/// access token and those that did not fit it, or those of an access token for an API.
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
        case .options: return .value(crossOrigin.preflight(request, allowing: "GET, POST", snapshot: snapshot))
        case .get, .post: break
        default:
            let refusal = limits.counted(.methodNotAllowed("GET, POST, OPTIONS"))
            return .value(crossOrigin.allowing(refusal, for: snapshot))
        }
        let text: WireText
        do throws(BearerError) {
            text = try BearerToken.read(request)
        } catch {
            return .value(crossOrigin.allowing(limits.counted(error.response), for: snapshot))
        }
        // Whose it was is known of an expired token too.
        guard let token = snapshot.accessToken(text),
            let app = snapshot.app(clientID: WireText(token.clientID))
        else {
            return .value(crossOrigin.allowing(limits.counted(BearerError.invalidToken.response), for: snapshot))
        }
        return limits.countingFailures(if: app.isPublic) {
            response(to: token, of: app)
        }.flatMapThrowing { crossOrigin.allowing($0, for: app) }
    }

    private func response(to token: AccessToken, of app: AppEntry) -> Eventual<BrokerResponse> {
        if let refusal = LimitResponses(context: context).refusal(ofRequestOf: app) { return .value(refusal) }
        let now = services.clock.now()
        guard token.isCurrent(at: now), app.isForUserInfo(token) else {
            return .value(BearerError.invalidToken.response)
        }
        return isEnded(accessToken: token.id).flatMap { isEnded in
            guard !isEnded, let claims = token.claims.object else { return .value(BearerError.invalidToken.response) }
            return mayBeUsed(
                accountIn: claims, since: token.issuedAt, app: app, at: .userInfo, message: "claims not returned"
            ).flatMap { mayBeUsed in
                guard mayBeUsed else { return .value(BearerError.invalidToken.response) }
                return adding(to: claims, of: app).flatMapThrowing { Self.response(with: $0) }
            }
        }.recover { _ in TokenError.unavailable.response }
    }

    /// Adds the claims that are kept with the identity of the user, because they do not fit a token.
    private func adding(to claims: JSONObject, of app: AppEntry) -> Eventual<JSONObject> {
        guard let accounts = snapshot.extensions.decider,
            let provider = claims["provider"]?.text.flatMap({ snapshot.provider(named: $0) }),
            case let names = app.claimsAtUserInfo(of: provider).filter({ claims[$0] == nil }), !names.isEmpty,
            let issuer = claims["upstream_iss"]?.text, let subject = claims["upstream_sub"]?.text,
            let account = claims["account"]?.text
        else { return .value(claims) }
        return Eventual<JSONObject>.future(
            accounts.keptClaims(
                issuer: issuer.makeString(), subject: subject.makeString(), account: account.makeString(),
                on: eventLoop
            ).hop(to: eventLoop)
        ).flatMapThrowing { kept in
            var claims = claims
            for name in names { claims[name] = kept[name] }
            return claims
        }.flatMapErrorThrowing { error in
            logUnavailableAccounts(error, app: app, at: .userInfo, message: "claims not returned")
            throw error
        }
    }

    /// The claims that concern a token and not the user.
    private static let claimsOfToken = [
        "iss", "aud", "nonce", "auth_time", "acr", "amr", "client_id", "jti", "iat", "exp", "scope",
        AccessToken.sessionClaim,
    ]

    private static func response(with claims: JSONObject) -> BrokerResponse {
        var claims = claims
        for name in claimsOfToken { claims[name] = nil }
        return .json(claims.serialized())
    }
}
