// SPDX-License-Identifier: Apache-2.0

public import NIOCore

extension AccountService {
    /// An identity whose grant a client wants revoked at the provider, and the session that asks.
    public struct RevocableIdentity: Sendable, Hashable {
        /// The identity.
        public let identity: AccountIdentity
        /// The session.
        public let session: AuthenticatedSession
    }

    /// Returns the identity that the account of a session has at a provider, before the provider is asked to revoke its
    /// grant. The session is live and the account is not disabled.
    /// - Parameters:
    ///   - providerID: The ID of the provider as clients see it.
    ///   - issuer: The issuer of the provider's ID tokens.
    ///   - asking: The session that asks.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: `nil` if the account has no identity at the provider.
    public func revocableIdentity(
        at providerID: String, issuer: String, asking: AuthenticatedSession, on eventLoop: any EventLoop
    ) -> EventLoopFuture<RevocableIdentity?> {
        let (now, operations) = (now, operations)
        return transact(.read, for: .account(asking.account), on: eventLoop) { transaction in
            try operations.identity(
                at: providerID, issuer: issuer, asking: asking, in: transaction, now: now
            ).map { RevocableIdentity(identity: $0, session: asking) }
        }
    }

    /// Records that the provider has revoked the grant of an identity. It succeeds also if the session has ended since
    /// then, and records nothing of an identity that has left the account, nor a revocation before a later sign-in with
    /// it.
    /// - Parameters:
    ///   - revocable: The identity and the session that asked, as they were before the provider was asked.
    ///   - isProof: Whether the revocation proves that the user is there, as the exchange of an authorization code
    ///     does, and counts as the last proof of the session that asked.
    ///   - eventLoop: The event loop of the future.
    public func recordRevocation(
        of revocable: RevocableIdentity, isProof: Bool, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return transact(.write, for: .account(revocable.session.account), on: eventLoop) { transaction in
            try operations.recordRevocation(
                of: revocable.identity, isProof: isProof, asking: revocable.session, in: transaction, now: now)
        }
    }
}
