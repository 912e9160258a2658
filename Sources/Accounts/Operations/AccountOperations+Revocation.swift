// SPDX-License-Identifier: Apache-2.0

import JOSE

// The revocation of a user's grant at a provider. The provider is asked between two transactions: one finds out whose
// grant it is, the other one records what the provider did.
extension AccountOperations {
    /// Returns the identity that the account of a session has at a provider. The transaction may be one for reading.
    /// - Parameters:
    ///   - providerID: The ID of the provider as clients see it.
    ///   - issuer: The issuer of the provider's ID tokens. An identity that was kept under the ID before the ID was
    ///     given to another issuer is not one of the provider.
    ///   - asking: The session that asks.
    ///   - transaction: The primitives of a transaction.
    ///   - now: The current time, in seconds since 1970.
    /// - Returns: `nil` if the account has no identity at the provider.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func identity(
        at providerID: String, issuer: String, asking: AuthenticatedSession, in transaction: any AccountTransaction,
        now: Int64
    ) throws -> AccountIdentity? {
        let (_, account) = try live(asking, in: transaction, now: now)
        return try transaction.identities(of: account.id).first {
            $0.verified.providerID.hasSameBytes(as: providerID) && $0.key.issuer.hasSameBytes(as: issuer)
        }
    }

    /// Records that a provider has revoked the grant of an identity. It refuses nothing, since the provider has done
    /// it: what became of the session, the identity and the account in the meantime changes only what is recorded.
    /// - Parameters:
    ///   - known: The identity as it was before the provider was asked. If the user has signed in with it since then,
    ///     it is not marked as revoked, since that sign-in has a grant of its own.
    ///   - isProof: Whether the revocation proves that the user is there, as the exchange of an authorization code
    ///     does. Then it is the last proof of the session that asked, if that is still live, and of no other one.
    ///   - asking: The session that asked. If the identity is not its account's any more, nothing is recorded.
    ///   - transaction: The primitives of a transaction that writes.
    ///   - now: The current time, in seconds since 1970.
    /// - Throws: An error of the store.
    package func recordRevocation(
        of known: AccountIdentity, isProof: Bool, asking: AuthenticatedSession, in transaction: any AccountTransaction,
        now: Int64
    ) throws {
        // An identity that has left the account since then says nothing about its owner, and may have a grant elsewhere.
        guard var identity = try transaction.identity(known.key), identity.account == asking.account else { return }
        if identity.lastUsedAt == known.lastUsedAt {
            identity.revokedAt = max(identity.revokedAt ?? now, now)
            identity.accessToken = nil
            try transaction.update(identity)
        }
        guard isProof else { return }
        do {
            try prove(asking, in: transaction, now: now)
        } catch is AccountRefusal {
            // There is no session left to prove anything for.
        }
    }
}
