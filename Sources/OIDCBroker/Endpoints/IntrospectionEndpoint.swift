// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// The endpoint at which a confidential app asks whether one of its own tokens is valid, or an access token for an API that
/// names the app (`POST introspect`; RFC 7662).
///
/// Of any other token, also of one that never was, it is told that it is not active, and nothing else. No web page may read
/// the response: a page cannot authenticate.
struct IntrospectionEndpoint: RequestHandling {
    let context: RequestContext

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        guard request.method == .post else {
            return .value(LimitResponses(context: context).counted(.methodNotAllowed("POST")))
        }
        var request = request
        request.headerFields[.origin] = nil
        return AppAuthentication(context: context, requests: .introspections).respond(to: request) {
            form, app throws(TokenError) in
            guard !app.isPublic else { throw .invalidClient(challenges: false) }
            guard let token = FormBody.value("token", form) else {
                throw TokenError("invalid_request", "token is missing.")
            }
            return members(of: token, app).flatMapThrowing { members in
                let outcome = members == nil ? "inactive" : "active"
                return BrokerResponse.json((members ?? ["active": false]).serialized()).noting(outcome)
            }.recover { error in
                logUnavailableAccounts(error, app: app, at: .introspection, message: "token not introspected")
                return TokenError.unavailable.response
            }
        }
    }

    /// The members of the response about an active token (RFC 7662 section 2.2); `nil` for any other. The hint does not
    /// matter: the token says what it is.
    private func members(of token: WireText, _ app: AppEntry) -> Eventual<JSONObject?> {
        if token.utf8.starts(with: IssuedTokenPrefix.refreshToken.utf8) { return members(ofRefreshToken: token, app) }
        guard let token = snapshot.accessToken(token), token.isCurrent(at: services.clock.now()),
            let owner = owner(of: token, askedAboutBy: app), let claims = token.claims.object
        else { return .value(nil) }
        return isEnded(accessToken: token.id).flatMap { isEnded in
            guard !isEnded else { return .value(nil) }
            return mayBeUsed(
                accountIn: claims, since: token.issuedAt, app: owner, at: .introspection,
                message: "token not introspected"
            ).flatMapThrowing { mayBeUsed -> JSONObject? in
                guard mayBeUsed else { return nil }
                var members: JSONObject = [
                    "active": true, "iss": .string(snapshot.issuer), "client_id": .string(owner.clientID),
                    "token_type": "Bearer", "exp": .number(JSONNumber(token.expiry)),
                ]
                members["sub"] = claims["sub"]
                if let resource = token.resource { members["aud"] = .string(resource) }
                return members
            }
        }
    }

    /// Returns the app that an access token was issued to; `nil` if an app may not ask about the token.
    private func owner(of token: AccessToken, askedAboutBy app: AppEntry) -> AppEntry? {
        if WireText(token.clientID).hasSameBytes(as: app.clientID) { return app }
        guard let identifier = token.resource,
            let resource = snapshot.configuration.resources.first(where: {
                $0.identifier.hasSameBytes(as: identifier)
            }), resource.introspectedBy.contains(app.configuration.name)
        else { return nil }
        return snapshot.app(clientID: WireText(token.clientID))
    }

    private func members(ofRefreshToken token: WireText, _ app: AppEntry) -> Eventual<JSONObject?> {
        guard let policy = app.refreshTokens, let sessions = snapshot.extensions.sessions,
            let text = token.visibleASCII(atMost: RevocationEndpoint.longestToken)
        else { return .value(nil) }
        let presented = PresentedRefreshToken(text, of: app, policy: policy, client: context.client)
        let session = sessions.session(of: presented, on: eventLoop).hop(to: eventLoop)
        return Eventual<KeptAppSession?>.future(session).flatMapThrowing { session -> JSONObject? in
            // A token that the settings of the app refuse is of no use to it.
            guard let session, (try? RefreshFlow.examine(session, of: app, in: snapshot)) != nil else { return nil }
            var members: JSONObject = [
                "active": true, "iss": .string(snapshot.issuer), "client_id": .string(app.clientID),
                "scope": .string(session.scope), "iat": .number(JSONNumber(session.begin)),
                "exp": .number(JSONNumber(session.end)),
            ]
            members["sub"] = session.claims["sub"]
            return members
        }
    }
}
