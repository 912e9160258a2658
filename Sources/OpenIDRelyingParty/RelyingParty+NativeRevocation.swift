// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension RelyingParty {
    /// Revokes a token that was issued to the given client ID, which may differ from this server's own (RFC 7009). A
    /// token that is unknown or already revoked counts as revoked.
    /// - Returns: Nothing. It fails with ``RelyingPartyError``.
    package func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = nil,
        clientID: String,
        in scope: RequestScope
    ) -> Eventual<Void> {
        metadata(in: scope).flatMap { [self] metadata in
            post(
                .revocation, to: .revocation, metadata,
                RevocationRequest.form(token: token.exposed, hint: hint?.description), clientID: clientID, in: scope
            ).flatMapThrowing { _ in }
        }
    }

    /// Revokes the grant of a code from an app: exchanges the code and revokes the refresh token, or the access token
    /// if there is no refresh token. No token leaves this function.
    /// - Parameter clientID: The client ID of the app, for which the code was issued.
    /// - Returns: Nothing. It fails with ``RelyingPartyError``. A code that has been used or
    ///   has expired is reported as the provider's error `invalid_grant`.
    package func revoke(authorizationCode code: String, clientID: String, in scope: RequestScope) -> Eventual<Void> {
        exchangeNative(code: code, clientID: clientID, in: scope).flatMap { [self] response in
            if let token = response.refreshToken {
                return revoke(Secret(token), hint: .refreshToken, clientID: clientID, in: scope)
            }
            guard let token = response.accessToken else {
                return .failure(
                    RelyingPartyError.unusable(.revocation, "the code gave no token that could be revoked"))
            }
            return revoke(Secret(token), hint: .accessToken, clientID: clientID, in: scope)
        }
    }
}
