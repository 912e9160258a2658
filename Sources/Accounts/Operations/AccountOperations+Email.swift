// SPDX-License-Identifier: Apache-2.0

// Which account has an email. Only the policy `unique` keeps emails from other accounts.
extension AccountOperations {
    /// Returns the account that has the proved email of a newcomer; `nil` if none has it, it is not proved, or emails
    /// do not matter.
    func holder(of verified: VerifiedIdentity, in transaction: any AccountTransaction) throws -> Account? {
        guard policy.email == .unique, let email = verified.provedEmail else { return nil }
        return try transaction.account(owning: email)
    }

    /// Takes the email away from an account that has not proved it, so that another one can have it.
    func giveUpEmail(_ holder: Account, in transaction: any AccountTransaction) throws {
        var holder = holder
        let lost = holder.email
        let identities = try transaction.identities(of: holder.id).filter { $0.verified.email != lost }
        move(&holder, to: try successor(for: holder, among: identities, in: transaction), identities)
        try transaction.update(holder)
    }

    /// Lets an account show what its identities say now: it keeps its email while one of them carries it.
    func settleEmail(
        of account: inout Account, _ identities: [AccountIdentity], in transaction: any AccountTransaction
    ) throws {
        guard policy.email == .unique else {
            account.ownsEmail = false
            // What was imported stays until an identity proves another email.
            if let email = account.email, let imported = account.imported, imported.keeps(email, beside: identities) {
                account.isEmailVerified = EmailRules.isProved(email, by: identities, importedWith: imported)
                return
            }
            let first = identities.first { $0.verified.email != nil }?.verified
            account.email = first?.email
            account.isEmailVerified = first?.isEmailProved ?? false
            return
        }
        if let email = account.email,
            identities.contains(where: { $0.verified.email == email })
                || account.imported?.keeps(email, beside: identities) ?? false
        {
            // Under the policy `separate`, which may have been the policy before, an email has no owner.
            let isOwn = try account.ownsEmail || isFree(email, for: account, in: transaction)
            if isOwn {
                account.ownsEmail = true
                account.isEmailVerified = EmailRules.isProved(
                    email, by: identities, importedWith: account.imported)
                return
            }
        }
        move(&account, to: try successor(for: account, among: identities, in: transaction), identities)
    }

    private func successor(
        for account: Account, among identities: [AccountIdentity], in transaction: any AccountTransaction
    ) throws -> EmailAddress? {
        try EmailRules.successor(among: identities) { email in
            try isFree(email, for: account, in: transaction)
        }
    }

    private func isFree(
        _ email: EmailAddress, for account: Account, in transaction: any AccountTransaction
    ) throws -> Bool {
        try transaction.account(owning: email).map { $0.id == account.id } ?? true
    }

    private func move(_ account: inout Account, to email: EmailAddress?, _ identities: [AccountIdentity]) {
        account.email = email
        account.ownsEmail = email != nil
        account.isEmailVerified = EmailRules.isProved(email, by: identities)
    }
}
