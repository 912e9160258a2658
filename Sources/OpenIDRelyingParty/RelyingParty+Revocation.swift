// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Revokes a token (RFC 7009). A token that is unknown or already revoked counts as revoked, so calling this again
    /// is harmless.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``, a temporary one if the
    ///   provider responds with 503: the token is then not revoked (section 2.2.1).
    public func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        revoke(token, hint: hint, in: RequestScope(on: eventLoop)).future(on: eventLoop)
    }

    /// Revokes a token like its overload.
    package func revoke(_ token: Secret, hint: TokenTypeHint?, in scope: RequestScope) -> Eventual<Void> {
        let form = RevocationRequest.form(token: token.exposed, hint: hint?.description)
        return metadata(in: scope).flatMap { [self] metadata in
            post(
                form, to: .revocation, .revocation, metadata, maximumBytes: RevocationRequest.maximumBytes, in: scope)
        }.flatMapThrowing { [self] response in
            guard response.status != 200 else { return }
            // A response with a temporary status says nothing about the token, whatever its body is.
            if response.status < 500, response.status != 429,
                let refusal = RevocationRequest.refusal(json: Array(response.body.readableBytesView))
            {
                throw explained(.provider(.revocation, refusal), by: response, sent: form)
            }
            throw explained(.status(.revocation, response.status), by: response, sent: form)
        }
    }
}
