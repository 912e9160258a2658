// SPDX-License-Identifier: Apache-2.0

package import JOSE
import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Claims of the protocol, which UserInfo never supplies.
    private static let protocolClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "azp", "acr", "amr", "auth_time", "sid",
    ]

    /// Fetches UserInfo (OpenID Connect Core 1.0 section 5.3) and adds what the ID token does not have.
    func addingUserInfo(
        to signIn: VerifiedSignIn,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        guard let endpoint = metadata.userInfoEndpoint, let accessToken = signIn.accessToken else {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.userInfo, "there is no endpoint or no access token"))
        }
        return send(
            .userInfo, to: endpoint, authorization: "Bearer " + accessToken.exposed,
            maximumBytes: TokenResponse.maximumBytes, deadline: deadline, on: eventLoop
        ).flatMapThrowing { response in
            guard response.status == 200 else { throw RelyingPartyError.status(.userInfo, response.status) }
            let answer: JSONObject
            do {
                answer = try JSONParser.object(
                    Array(response.body.readableBytesView), limits: JSONLimits(maximumBytes: TokenResponse.maximumBytes)
                )
            } catch {
                throw RelyingPartyError.unusable(.userInfo, "\(error)")
            }
            guard answer["sub"]?.stringValue?.hasSameBytes(as: signIn.subject) == true else {
                throw RelyingPartyError.unusable(.userInfo, "'sub' is not the ID token's")
            }
            return VerifiedSignIn(
                issuer: signIn.issuer, subject: signIn.subject,
                claims: Self.merging(signIn.claims, userInfo: answer), idToken: signIn.idToken,
                accessToken: signIn.accessToken, refreshToken: signIn.refreshToken, expiresIn: signIn.expiresIn,
                rawNonce: signIn.rawNonce)
        }
    }

    /// The ID token's claims win. `email` and `email_verified` come from one source or not at all.
    package static func merging(_ claims: Claims, userInfo: JSONObject) -> Claims {
        var merged = claims.object
        let hasEmail = merged["email"] != nil || merged["email_verified"] != nil
        for (name, value) in userInfo.members where merged[name] == nil && !protocolClaims.contains(name) {
            if hasEmail, name == "email" || name == "email_verified" { continue }
            merged[name] = value
        }
        return Claims(merged)
    }
}
