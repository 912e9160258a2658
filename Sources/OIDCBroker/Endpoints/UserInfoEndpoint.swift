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
        let crossOrigin = CrossOrigin(request)
        switch request.method {
        case .options: return .value(crossOrigin.preflight(allowing: "GET, POST", snapshot: snapshot))
        case .get, .post: break
        default: return .value(.methodNotAllowed("GET, POST, OPTIONS"))
        }
        let text: WireText
        do throws(BearerError) {
            text = try BearerToken.read(request)
        } catch {
            return .value(crossOrigin.allowing(error.response, for: snapshot))
        }
        guard let token = AccessToken(text, openedBy: snapshot.sealer, now: services.clock.now()),
            let app = snapshot.app(clientID: WireText(token.clientID))
        else { return .value(crossOrigin.allowing(BearerError.invalidToken.response, for: snapshot)) }
        let ended = services.store.contains(
            AccessToken.endKey(id: token.id), now: services.clock.now(), on: eventLoop)
        return .future(
            ended.map { isEnded in
                isEnded ? BearerError.invalidToken.response : Self.response(token)
            }.recover { _ in TokenError.unavailable.response }.map { crossOrigin.allowing($0, for: app) })
    }

    /// The claims that concern the ID token and not the user.
    private static let claimsOfToken = ["iss", "aud", "nonce", "auth_time", "acr", "amr"]

    private static func response(_ token: AccessToken) -> BrokerResponse {
        guard var claims = token.claims.object else { return BearerError.invalidToken.response }
        for name in claimsOfToken { claims[name] = nil }
        return .json(claims.serialized())
    }
}
