// SPDX-License-Identifier: Apache-2.0

// Identities that were imported with something else than the subject, which the first sign-in tells.
extension AccountOperations {
    /// Returns the identity that was verified, or the one that was imported for it; `nil` if there is neither.
    func identity(of verified: VerifiedIdentity, in transaction: any AccountTransaction) throws -> AccountIdentity? {
        if let known = try transaction.identity(verified.key) { return known }
        return try verified.importedKey.flatMap { try transaction.identity($0) }
    }

    /// Writes an identity in place of another one of the same account, whose key may be another one.
    func replace(
        _ known: AccountIdentity, by identity: AccountIdentity, in transaction: any AccountTransaction
    ) throws {
        guard known.key != identity.key else { return try transaction.update(identity) }
        try transaction.remove(known.key)
        try transaction.insert(identity)
    }
}
