// SPDX-License-Identifier: Apache-2.0

import JOSE

// The import of users of another system. It makes no sessions and no events.
extension AccountOperations {
    /// Makes an account of a user, or finds out what is in the way.
    /// - Parameters:
    ///   - user: The user.
    ///   - choices: What may be done with a user who is here already.
    ///   - transaction: The primitives of a transaction, which writes unless it is a dry run.
    /// - Throws: An error of the store.
    package func take(
        _ user: ImportedUser, _ choices: ImportChoices, in transaction: any AccountTransaction
    ) throws -> ImportOutcome {
        var owners: [AccountID] = []
        for identity in user.identities {
            if let owner = try transaction.identity(identity.key)?.account, !owners.contains(owner) {
                owners.append(owner)
            }
        }
        if let known = try transaction.account(user.account.id) {
            guard known.imported != nil || owners.contains(known.id) else { return .conflict(.uid, known.id) }
            guard choices.updates, known.imported != nil else { return .unchanged }
            // A second factor that was added later is noted.
            return try update(known, by: user, choices, in: transaction)
        }
        guard !user.hasSecondFactor || choices.takesSecondFactors else { return .hasSecondFactor }
        var former: Account?
        if let owner = owners.first {
            guard owners.count == 1, choices.adopts, let account = try transaction.account(owner),
                account.imported == nil
            else { return .conflict(.identity, owner) }
            former = account
        }
        let holder = try holder(of: user, in: transaction).flatMap { $0.id == former?.id ? nil : $0 }
        if let holder, user.account.isEmailVerified {
            let identities = try transaction.identities(of: holder.id)
            if EmailRules.isProved(holder.email, by: identities, importedWith: holder.imported) {
                return .conflict(.address, holder.id)
            }
        }
        let outcome: ImportOutcome = former.map { .adopted($0.id) } ?? .added
        guard !choices.isDryRun else { return outcome }
        // Who has not proved the address gives it up to who has.
        if let holder, user.account.isEmailVerified { try giveUpEmail(holder, in: transaction) }
        try insert(user, adopting: former, ownsEmail: holder == nil || user.account.isEmailVerified, in: transaction)
        return outcome
    }

    private func holder(of user: ImportedUser, in transaction: any AccountTransaction) throws -> Account? {
        guard policy.email == .unique, let email = user.account.email else { return nil }
        return try transaction.account(owning: email)
    }

    /// - Parameters:
    ///   - user: The user.
    ///   - former: The account whose identifier becomes that of the user; `nil` for a new account.
    ///   - ownsEmail: Whether the address is free, or its holder has given it up.
    ///   - transaction: The primitives of a transaction that writes.
    private func insert(
        _ user: ImportedUser, adopting former: Account?, ownsEmail: Bool, in transaction: any AccountTransaction
    ) throws {
        var account = user.account
        if !ownsEmail { account.email = nil }
        account.ownsEmail = account.email != nil && policy.email == .unique
        account.isEmailVerified = account.email != nil && account.isEmailVerified
        if var members = account.imported?.members {
            members[ImportedRecord.Member.marks.rawValue] = .string(ImportMarks(account).text)
            if account.email == nil { Self.setAddressAside(&members) }
            account.imported = ImportedRecord(members) ?? account.imported
        }
        guard let former else {
            try transaction.insert(account)
            for identity in user.identities {
                try transaction.insert(AccountIdentity(identity, of: account.id, at: account.createdAt))
            }
            return
        }
        account.imported?.noteEntry()
        account.lastSignInAt = former.lastSignInAt
        account.lastRefreshAt = former.lastRefreshAt
        account.displayName = former.displayName ?? account.displayName
        account.photoURL = former.photoURL ?? account.photoURL
        account.customClaims = former.customClaims ?? account.customClaims
        account.isDisabled = former.isDisabled || account.isDisabled
        account.isFoundByEmail = former.isFoundByEmail
        account.end(sessionsBefore: former.validSince)
        if former.email != nil { (account.email, account.ownsEmail) = (former.email, former.ownsEmail) }
        let linked = try transaction.identities(of: former.id)
        // Its sessions go with it.
        try transaction.remove(former.id)
        try transaction.insert(account)
        for known in linked {
            var moved = AccountIdentity(
                known.verified, of: account.id, at: known.createdAt, accessToken: known.accessToken)
            moved.lastUsedAt = known.lastUsedAt
            moved.revokedAt = known.revokedAt
            try transaction.insert(moved)
        }
        try link(user.identities, to: &account, linked, in: transaction)
        try settleEmail(of: &account, transaction.identities(of: account.id), in: transaction)
        try transaction.update(account)
    }

    /// Has the address exported with the user. It says nothing here.
    private static func setAddressAside(_ members: inout JSONObject) {
        guard let email = members[ImportedRecord.Member.email.rawValue] else { return }
        var rest = members[ImportedRecord.Member.user.rawValue]?.objectValue ?? JSONObject()
        rest["email"] = email
        rest["emailVerified"] = .bool(members[ImportedRecord.Member.emailVerified.rawValue] != nil)
        members[ImportedRecord.Member.user.rawValue] = .object(rest)
        members[ImportedRecord.Member.email.rawValue] = nil
        members[ImportedRecord.Member.emailVerified.rawValue] = nil
    }

    /// Adds identities that no account has, of providers of which the account has none.
    /// - Returns: Whether there was one.
    @discardableResult
    private func link(
        _ identities: [VerifiedIdentity], to account: inout Account, _ known: [AccountIdentity],
        in transaction: any AccountTransaction
    ) throws -> Bool {
        var linked = known
        for identity in identities where linked.count < AccountLimits.identities {
            let hasProvider = linked.contains { $0.verified.providerID.hasSameBytes(as: identity.providerID) }
            guard !hasProvider, try transaction.identity(identity.key) == nil else { continue }
            let added = AccountIdentity(identity, of: account.id, at: account.createdAt)
            try transaction.insert(added)
            linked.append(added)
        }
        return linked.count > known.count
    }

    /// Changes what was not changed here since the import.
    private func update(
        _ known: Account, by user: ImportedUser, _ choices: ImportChoices, in transaction: any AccountTransaction
    ) throws -> ImportOutcome {
        var account = known
        let new = user.account
        guard var marks = ImportMarks(known.imported) else { return .unchanged }
        for attribute in ImportMarks.Attribute.allCases where marks.hold(attribute, of: known) {
            switch attribute {
            case .displayName: account.displayName = new.displayName
            case .photoURL: account.photoURL = new.photoURL
            case .isDisabled: account.isDisabled = new.isDisabled
            case .customClaims: account.customClaims = new.customClaims
            }
            marks.note(attribute, of: account)
        }
        // What has no place of its own cannot be changed here. The address of the first import stays.
        if var members = new.imported?.members {
            if known.imported?[.email] == nil { Self.setAddressAside(&members) }
            for member in [ImportedRecord.Member.email, .emailVerified, .entered] {
                members[member.rawValue] = known.imported?[member]
            }
            members[ImportedRecord.Member.marks.rawValue] = .string(marks.text)
            if members != known.imported?.members { account.imported = ImportedRecord(members) ?? account.imported }
        }
        let identities = try transaction.identities(of: known.id)
        // What was removed here does not come back.
        let offered = known.isFoundByEmail ? user.identities : []
        var isNew = false
        for identity in offered {
            let hasProvider = identities.contains { $0.verified.providerID.hasSameBytes(as: identity.providerID) }
            if !hasProvider, try transaction.identity(identity.key) == nil { isNew = true }
        }
        guard account != known || isNew else { return .unchanged }
        guard !choices.isDryRun else { return .updated }
        try link(offered, to: &account, identities, in: transaction)
        try transaction.update(account)
        return .updated
    }
}
