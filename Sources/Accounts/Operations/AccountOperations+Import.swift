// SPDX-License-Identifier: Apache-2.0

import JOSE

// The import of users of another system. It makes no sessions and no events.
extension AccountOperations {
    /// Makes accounts of users, or finds out what is in the way. Most of them are new, so that is tried first.
    /// - Parameters:
    ///   - users: The users.
    ///   - choices: What may be done with a user who is here already.
    ///   - transaction: The primitives of a transaction, which writes unless it is a dry run.
    /// - Throws: An error of the store.
    package func take(
        _ users: [ImportedUser], _ choices: ImportChoices, in transaction: any AccountTransaction
    ) throws -> [ImportOutcome] {
        let tried = choices.isDryRun ? [] : users.indices.filter { !isLeftOut(users[$0], choices) }
        let accounts = tried.map { index in
            let account = newAccount(of: users[index], ownsEmail: true)
            let identities = users[index].identities.map { AccountIdentity($0, of: account.id, at: account.createdAt) }
            return (account: account, identities: identities)
        }
        let areNew = try transaction.insertFree(accounts)
        let new = Set(zip(tried, areNew).filter(\.1).map(\.0))
        return try users.indices.map { new.contains($0) ? .added : try take(users[$0], choices, in: transaction) }
    }

    private func isLeftOut(_ user: ImportedUser, _ choices: ImportChoices) -> Bool {
        user.hasSecondFactor && !choices.takesSecondFactors
    }

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
            let outcome = try update(known, by: user, choices, in: transaction)
            // An identity stays with the account that has it. All else is updated: a user could otherwise keep an account
            // from being disabled.
            guard known.isFoundByEmail, let other = owners.first(where: { $0 != known.id }) else { return outcome }
            return .conflict(.identity, other)
        }
        guard !isLeftOut(user, choices) else { return .hasSecondFactor }
        var former: Account?
        if let owner = owners.first {
            guard owners.count == 1, choices.adopts, let account = try transaction.account(owner),
                account.imported == nil
            else { return .conflict(.identity, owner) }
            former = account
        }
        let holder = try holder(of: user, otherThan: former, in: transaction)
        if let holder, user.account.isEmailVerified, try hasProvedEmail(holder, in: transaction) {
            return .conflict(.address, holder.id)
        }
        let outcome: ImportOutcome = former.map { .adopted($0.id) } ?? .added
        guard !choices.isDryRun else { return outcome }
        if let holder { try settle(holder, beside: user, in: transaction) }
        try insert(user, adopting: former, ownsEmail: holder == nil || user.account.isEmailVerified, in: transaction)
        return outcome
    }

    /// The other account that has the email of a user; `nil` if none has it, or emails do not matter.
    private func holder(
        of user: ImportedUser, otherThan own: Account?, in transaction: any AccountTransaction
    ) throws -> Account? {
        guard policy.email == .unique, let email = user.account.email else { return nil }
        return try transaction.account(owning: email).flatMap { $0.id == own?.id ? nil : $0 }
    }

    private func hasProvedEmail(_ holder: Account, in transaction: any AccountTransaction) throws -> Bool {
        let identities = try transaction.identities(of: holder.id)
        return EmailRules.isProved(holder.email, by: identities, importedWith: holder.imported)
    }

    /// Decides about an email that both an account and an imported user have.
    private func settle(
        _ holder: Account, beside user: ImportedUser, in transaction: any AccountTransaction
    ) throws {
        var holder = holder
        if user.account.isEmailVerified {
            // Who has not proved the email gives it up to who has, and is still exported with it.
            if var members = holder.imported?.members, holder.imported?.email == holder.email {
                Self.setAddressAside(&members)
                holder.imported = ImportedRecord(members) ?? holder.imported
            }
            try giveUpEmail(holder, in: transaction)
        } else if user.identities.isEmpty, !holder.isEmailVerified, holder.imported != nil {
            // Its owner is unknown, so it opens neither account.
            holder.imported?.note(.sharesEmail)
            try transaction.update(holder)
        }
    }

    /// - Parameters:
    ///   - user: The user.
    ///   - former: The account whose identifier becomes that of the user; `nil` for a new account.
    ///   - ownsEmail: Whether the email is free, or its holder has given it up.
    ///   - transaction: The primitives of a transaction that writes.
    private func insert(
        _ user: ImportedUser, adopting former: Account?, ownsEmail: Bool, in transaction: any AccountTransaction
    ) throws {
        var account = newAccount(of: user, ownsEmail: ownsEmail)
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
            try transaction.insert(known.replacing(account: account.id))
        }
        try link(linkable(user.identities, beside: linked, in: transaction), to: account, in: transaction)
        let identities = try transaction.identities(of: account.id)
        account.imported?.keepRests(of: user.identities, linked: identities)
        try settleEmail(of: &account, identities, in: transaction)
        try transaction.update(account)
    }

    private func newAccount(of user: ImportedUser, ownsEmail: Bool) -> Account {
        var account = user.account
        if !ownsEmail { account.email = nil }
        account.ownsEmail = account.email != nil && policy.email == .unique
        account.isEmailVerified = account.email != nil && account.isEmailVerified
        if var members = account.imported?.members {
            members[ImportedRecord.Member.marks.rawValue] = .string(ImportMarks(account).text)
            if account.email == nil { Self.setAddressAside(&members) }
            account.imported = ImportedRecord(members) ?? account.imported
        }
        return account
    }

    /// Has the email exported with the user. It says nothing here.
    private static func setAddressAside(_ members: inout JSONObject) {
        guard let email = members[ImportedRecord.Member.email.rawValue] else { return }
        var rest = members[ImportedRecord.Member.user.rawValue]?.objectValue ?? JSONObject()
        rest["email"] = email
        rest["emailVerified"] = .bool(members[ImportedRecord.Member.emailVerified.rawValue] != nil)
        members[ImportedRecord.Member.user.rawValue] = .object(rest)
        members[ImportedRecord.Member.email.rawValue] = nil
        members[ImportedRecord.Member.emailVerified.rawValue] = nil
    }

    /// The identities that no account has, of providers without an identity in the account.
    private func linkable(
        _ identities: [VerifiedIdentity], beside known: [AccountIdentity], in transaction: any AccountTransaction
    ) throws -> [VerifiedIdentity] {
        let free = try identities.filter { identity in
            let hasProvider = known.contains { $0.verified.providerID.hasSameBytes(as: identity.providerID) }
            return try !hasProvider && transaction.identity(identity.key) == nil
        }
        return Array(free.prefix(max(0, AccountLimits.identities - known.count)))
    }

    private func link(
        _ identities: [VerifiedIdentity], to account: Account, in transaction: any AccountTransaction
    ) throws {
        for identity in identities {
            try transaction.insert(AccountIdentity(identity, of: account.id, at: account.createdAt))
        }
    }

    // MARK: A user who was imported before

    /// Changes what was not changed here since the import.
    private func update(
        _ known: Account, by user: ImportedUser, _ choices: ImportChoices, in transaction: any AccountTransaction
    ) throws -> ImportOutcome {
        guard var marks = ImportMarks(known.imported), var record = user.account.imported else { return .unchanged }
        var account = known
        let new = user.account
        for attribute in ImportMarks.Attribute.allCases where marks.hold(attribute, of: known) {
            switch attribute {
            case .displayName: account.displayName = new.displayName
            case .photoURL: account.photoURL = new.photoURL
            case .isDisabled: account.isDisabled = new.isDisabled
            case .customClaims: account.customClaims = new.customClaims
            }
            marks.note(attribute, of: account)
        }
        account.lastSignInAt = max(known.lastSignInAt, user.lastSignInAt ?? known.lastSignInAt)
        account.end(sessionsBefore: new.validSince)
        let identities = try transaction.identities(of: known.id)
        // What was removed here does not come back.
        let added =
            known.isFoundByEmail ? try linkable(user.identities, beside: identities, in: transaction) : []
        record.keepRests(
            of: user.identities, linked: identities + added.map { AccountIdentity($0, of: known.id, at: 0) },
            knownFrom: known.imported)
        // What has no place of its own in the account cannot be changed here.
        var members = record.members
        for member in [ImportedRecord.Member.entered, .sharesEmail] {
            members[member.rawValue] = known.imported?[member]
        }
        members[ImportedRecord.Member.marks.rawValue] = .string(marks.text)
        var holder: Account?
        var conflict: ImportOutcome?
        let mayTakeEmail = Self.hasImportedEmail(known, identities)
        if mayTakeEmail {
            holder = try self.holder(of: user, otherThan: known, in: transaction)
            if let holder, new.isEmailVerified, try hasProvedEmail(holder, in: transaction) {
                conflict = .conflict(.address, holder.id)
            }
        }
        if mayTakeEmail, conflict == nil {
            account.email = holder == nil || new.isEmailVerified ? new.email : nil
            account.ownsEmail = account.email != nil && policy.email == .unique
            account.isEmailVerified = account.email != nil && new.isEmailVerified
            if account.email == nil { Self.setAddressAside(&members) }
        } else {
            if known.imported?[.email] == nil { Self.setAddressAside(&members) }
            for member in [ImportedRecord.Member.email, .emailVerified] {
                members[member.rawValue] = known.imported?[member]
            }
        }
        if members != known.imported?.members { account.imported = ImportedRecord(members) ?? account.imported }
        // Another account had it before, and may come back with it.
        if known.email == nil, let email = account.email, !account.isEmailVerified,
            known.imported?.emailSetAside == email
        {
            account.imported?.note(.sharesEmail)
        }
        guard account != known || !added.isEmpty else { return conflict ?? .unchanged }
        guard !choices.isDryRun else { return conflict ?? .updated }
        if let holder, conflict == nil { try settle(holder, beside: user, in: transaction) }
        if account.validSince > known.validSince {
            let time = account.validSince
            try endSessions(of: &account, begunUntil: time, in: transaction, now: time)
        }
        try link(added, to: account, in: transaction)
        try transaction.update(account)
        return conflict ?? .updated
    }

    /// Whether an account has the email of its import, or has none as then, and no identity has proved one since.
    private static func hasImportedEmail(_ account: Account, _ identities: [AccountIdentity]) -> Bool {
        account.email == account.imported?.email && !identities.contains { $0.verified.provedEmail != nil }
    }
}
