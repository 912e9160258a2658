// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Revokes a token that was issued to the given client ID, which may differ from this server's own (RFC 7009). A
    /// token that is unknown or already revoked counts as revoked.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    package func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = nil,
        clientID: String,
        on eventLoop: any EventLoop,
        trace: RequestTrace? = nil
    ) -> EventLoopFuture<Void> {
        revoke(
            token, hint: hint, clientID: clientID, deadline: .now() + Self.callbackTimeout, on: eventLoop, trace: trace)
    }

    /// Revokes the grant of a code from an app: exchanges the code and revokes the refresh token, or the access token
    /// if there is no refresh token. No token leaves this function.
    /// - Parameter clientID: The client ID of the app, for which the code was issued.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``. A code that has been used or
    ///   has expired is reported as the provider's error `invalid_grant`.
    package func revoke(
        authorizationCode code: String,
        clientID: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return exchangeNative(code: code, clientID: clientID, on: eventLoop).flatMap { [self] response in
            if let token = response.refreshToken {
                return revoke(
                    Secret(token), hint: .refreshToken, clientID: clientID, deadline: deadline, on: eventLoop)
            }
            guard let token = response.accessToken else {
                return eventLoop.makeFailedFuture(
                    RelyingPartyError.unusable(.revocation, "the code gave no token that could be revoked"))
            }
            return revoke(Secret(token), hint: .accessToken, clientID: clientID, deadline: deadline, on: eventLoop)
        }
    }

    private func revoke(
        _ token: Secret,
        hint: TokenTypeHint?,
        clientID: String,
        deadline: NIODeadline,
        on eventLoop: any EventLoop,
        trace: RequestTrace? = nil
    ) -> EventLoopFuture<Void> {
        metadata(on: eventLoop, deadline: deadline, trace: trace).future(on: eventLoop).flatMap { [self] metadata in
            guard let endpoint = metadata.revocationEndpoint else {
                return eventLoop.makeFailedFuture(
                    RelyingPartyError.unusable(.revocation, "the provider has no revocation endpoint"))
            }
            return post(
                .revocation, to: endpoint, RevocationRequest.form(token: token.exposed, hint: hint?.description),
                clientID: clientID, deadline: deadline, on: eventLoop, trace: trace
            ).map { _ in }
        }
    }
}
