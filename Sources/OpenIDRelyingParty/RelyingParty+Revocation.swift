// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Revokes a token (RFC 7009). A token that is revoked already, or that the provider does not know, is as good as
    /// revoked: calling it again does no harm.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``, which is temporary where the
    ///   provider answers 503: the token is not revoked then (section 2.2.1).
    public func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return metadata(on: eventLoop, deadline: deadline).future(on: eventLoop).flatMap { [self] metadata in
            post(
                RevocationRequest.form(token: token.exposed, hint: hint?.description), to: .revocation, .revocation,
                metadata, maximumBytes: RevocationRequest.maximumBytes, deadline: deadline, on: eventLoop)
        }.flatMapThrowing { response in
            guard response.status != 200 else { return }
            // A server that is down may say so in any form; what it says then is not a response to the client.
            if response.status < 500, response.status != 429,
                let refusal = RevocationRequest.refusal(json: Array(response.body.readableBytesView))
            {
                throw RelyingPartyError.provider(.revocation, refusal)
            }
            throw RelyingPartyError.status(.revocation, response.status)
        }
    }
}
