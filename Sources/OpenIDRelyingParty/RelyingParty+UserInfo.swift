// SPDX-License-Identifier: Apache-2.0

package import JOSE
public import NIOCore
public import OpenIDConnect

extension RelyingParty {
    /// Claims of the protocol, which are never taken from UserInfo.
    private static let protocolClaims: Set<WireText> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "azp", "acr", "amr", "auth_time", "sid",
    ]

    /// Fetches UserInfo (OpenID Connect Core 1.0 section 5.3): the claims about the end-user of an access token.
    ///
    /// A signed response is verified with the provider's keys and must have the provider's issuer and this client as
    /// its audience. Claims of the protocol are left out, since they do not describe the end-user.
    /// - Parameters:
    ///   - accessToken: The access token of the sign-in or of a refresh.
    ///   - subject: ``VerifiedSignIn/subject``. A response with another `sub` is refused (section 5.3.2).
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    public func userInfo(
        accessToken: Secret,
        subject: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Claims> {
        userInfo(accessToken: accessToken, subject: subject, in: RequestScope(on: eventLoop)).future(on: eventLoop)
    }

    /// Fetches UserInfo like its overload.
    package func userInfo(accessToken: Secret, subject: String, in scope: RequestScope) -> Eventual<Claims> {
        metadata(in: scope).flatMap { [self] metadata in
            fetchUserInfo(accessToken, subject: subject, metadata, in: scope) { response in
                var claims = response
                claims.removeMembers { $0 != "sub" && Self.protocolClaims.contains($0) }
                return Claims(claims)
            }
        }
    }

    /// Fetches UserInfo with the access token that came with a verified native credential and adds the claims that the
    /// ID token does not have.
    /// - Parameters:
    ///   - signIn: The sign-in that the verification of the credential returned.
    ///   - accessToken: The access token. The ID token has its hash: nothing else binds it to the ID token.
    /// - Returns: The sign-in with the access token. It fails with ``RelyingPartyError``.
    package func addingUserInfo(
        to signIn: VerifiedSignIn, accessToken: Secret, in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        metadata(in: scope).flatMap { [self] in addingUserInfo(to: signIn, accessToken, $0, in: scope) }
    }

    /// Fetches UserInfo and adds the claims that the ID token does not have.
    func addingUserInfo(
        to signIn: VerifiedSignIn, _ metadata: ProviderMetadata, dpop: DPoPLogin?, in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        guard let accessToken = signIn.accessToken else {
            return .failure(RelyingPartyError.unusable(.userInfo, "there is no access token"))
        }
        return addingUserInfo(to: signIn, accessToken, metadata, dpop: dpop, in: scope)
    }

    private func addingUserInfo(
        to signIn: VerifiedSignIn,
        _ accessToken: Secret,
        _ metadata: ProviderMetadata,
        dpop: DPoPLogin? = nil,
        in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        fetchUserInfo(accessToken, subject: signIn.subject, metadata, dpop: dpop, in: scope) { response in
            VerifiedSignIn(
                issuer: signIn.issuer, subject: signIn.subject,
                claims: Self.merging(signIn.claims, userInfo: response), idToken: signIn.idToken,
                accessToken: accessToken, refreshToken: signIn.refreshToken, expiresIn: signIn.expiresIn,
                rawNonce: signIn.rawNonce)
        }
    }

    private func fetchUserInfo<Value: Sendable>(
        _ accessToken: Secret,
        subject: String,
        _ metadata: ProviderMetadata,
        dpop: DPoPLogin? = nil,
        in scope: RequestScope,
        _ use: @escaping @Sendable (JSONObject) -> Value
    ) -> Eventual<Value> {
        let isMutualTLS = showsCertificate(metadata)
        let endpoint: AbsoluteURL
        do {
            endpoint = try metadata.required(.userInfo, isMutualTLS: isMutualTLS)
        } catch {
            return .failure(RelyingPartyError.unusable(.userInfo, "\(error)"))
        }
        let type: AccessTokenType = dpop == nil ? .bearer : .dpop
        return proving(dpop, .userInfo, method: "GET", url: endpoint, accessToken: accessToken) { [self] proof in
            send(
                .userInfo, to: endpoint, authorization: type.rawValue + " " + accessToken.exposed, proof: proof,
                showsCertificate: isMutualTLS, maximumBytes: UserInfoResponse.maximumBytes, in: scope)
        }.flatMap { [self] response -> Eventual<Value> in
            do {
                guard response.status == 200 else {
                    throw explained(
                        .status(.userInfo, response.status), by: response, secrets: [accessToken.exposed])
                }
                let response = try UserInfoResponse(
                    contentType: response.contentType, body: Array(response.body.readableBytesView))
                switch response.form {
                case .plain(let claims):
                    return .value(use(try Self.claims(claims, about: subject)))
                case .signed(let signature):
                    return verifiedUserInfo(signature, metadata, in: scope)
                        .flatMapThrowing { use(try Self.claims($0, about: subject)) }
                case .encrypted(let compact):
                    let nested = try decrypted(compact) { .unusable(.userInfo, $0) }
                    return verifiedUserInfo(try JSONWebSignature(compact: nested), metadata, in: scope)
                        .flatMapThrowing { use(try Self.claims($0, about: subject)) }
                }
            } catch let error as RelyingPartyError {
                return .failure(error)
            } catch {
                return .failure(RelyingPartyError.unusable(.userInfo, "\(error)"))
            }
        }
    }

    /// Checks that the response has the ID token's subject (OpenID Connect Core 1.0 section 5.3.2).
    private static func claims(
        _ response: JSONObject, about subject: String
    ) throws(RelyingPartyError) -> JSONObject {
        guard response["sub"]?.text?.hasSameBytes(as: subject) == true else {
            throw .unusable(.userInfo, "'sub' is not the ID token's")
        }
        return response
    }

    /// Verifies a signed UserInfo response. It must have `iss` and `aud`, as an ID token does: otherwise a token that
    /// the provider signed for another client would be accepted (OpenID Connect Core 1.0 section 5.3.2).
    private func verifiedUserInfo(
        _ signature: JSONWebSignature, _ metadata: ProviderMetadata, in scope: RequestScope
    ) -> Eventual<JSONObject> {
        do {
            try metadata.checkUserInfoAlgorithms()
        } catch {
            return .failure(RelyingPartyError.unusable(.userInfo, "\(error)"))
        }
        let announced = metadata.userInfoAlgorithms
        let algorithms = ofProfile(
            Set((announced.isEmpty ? metadata.idTokenAlgorithms : announced).flatMap(\.names)))
        return verified(signature, algorithms: algorithms, metadata, in: scope) {
            RelyingPartyError.unusable(.userInfo, "\($0)")
        }.flatMapThrowing { [self] payload in
            // A UserInfo response need not expire; one that does must not have.
            let checks = Self.signedUserInfoChecks + (payload.claims["exp"] == nil ? [] : [.expiry])
            do {
                try IDTokenPolicy(checks: checks).validate(payload, idTokenExpectation(metadata, nonce: nil))
            } catch {
                throw RelyingPartyError.unusable(.userInfo, "\(error)")
            }
            return payload.claims
        }
    }

    /// The checks of an ID token that also apply to a signed UserInfo response.
    private static let signedUserInfoChecks: [IDTokenCheck] = [
        .tokenKind, .issuer, .audience, .authorizedParty, .notBefore,
    ]

    /// Merges the claims of UserInfo into those of the ID token, which take precedence unless they are null or empty.
    /// `email` and `email_verified` are always taken from the same source, and so are those of the phone number.
    package static func merging(_ claims: Claims, userInfo: JSONObject) -> Claims {
        var merged = claims.object
        let hasEmail = merged.present("email") != nil || merged.present("email_verified") != nil
        let hasPhone = merged.present("phone_number") != nil || merged.present("phone_number_verified") != nil
        for member in userInfo.members
        where merged[member.name]?.isBlank != false && !member.value.isBlank && !protocolClaims.contains(member.name) {
            if hasEmail, member.name == "email" || member.name == "email_verified" { continue }
            if hasPhone, member.name == "phone_number" || member.name == "phone_number_verified" { continue }
            merged[member.name] = member.value
        }
        return Claims(merged)
    }
}
