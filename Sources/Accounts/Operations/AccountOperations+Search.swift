// SPDX-License-Identifier: Apache-2.0

// How an operator finds accounts. The transactions may be ones for reading.
extension AccountOperations {
    /// Returns the accounts that some keys name, each once, in the order of the keys. A key that names none is left out.
    /// - Throws: An error of the store.
    package func accounts(
        by keys: [AccountSearchKey], in transaction: any AccountTransaction
    ) throws -> [AccountService.Profile] {
        var found: Set<AccountID> = []
        var profiles: [AccountService.Profile] = []
        for key in keys {
            guard let account = try account(by: key, in: transaction), found.insert(account.id).inserted else {
                continue
            }
            profiles.append(
                AccountService.Profile(account: account, identities: try transaction.identities(of: account.id)))
        }
        return profiles
    }

    private func account(by key: AccountSearchKey, in transaction: any AccountTransaction) throws -> Account? {
        switch key {
        case .id(let id): return try transaction.account(id)
        case .email(let email):
            guard policy.email == .unique else { return nil }
            return try transaction.account(owning: email)
        case .identity(let key):
            guard let identity = try transaction.identity(key) else { return nil }
            guard let account = try transaction.account(identity.account) else { throw Self.missingAccount }
            return account
        }
    }

    /// A page of the list of accounts.
    package struct AccountPage: Sendable, Hashable {
        /// The accounts, in the order of their identifiers.
        package let profiles: [AccountService.Profile]
        /// The identifier after which the next page begins; `nil` for the last page.
        package let next: AccountID?
    }

    /// Returns a page of the list of accounts.
    /// - Parameters:
    ///   - id: The identifier after which the page begins; `nil` for the first page.
    ///   - limit: The maximum number of accounts, 1 to ``AccountLimits/page``. There are less if they have many
    ///     identities together: the page ends with the account with which there are ``AccountLimits/pageIdentities``.
    ///   - transaction: The primitives of a transaction.
    /// - Throws: An error of the store.
    package func page(
        after id: AccountID?, limit: Int, in transaction: any AccountTransaction
    ) throws -> AccountPage {
        let limit = min(max(1, limit), AccountLimits.page)
        // One more says whether there is another page.
        let accounts = try transaction.accounts(after: id, limit: limit + 1)
        var profiles: [AccountService.Profile] = []
        var identityCount = 0
        for account in accounts.prefix(limit) {
            let identities = try transaction.identities(of: account.id)
            profiles.append(AccountService.Profile(account: account, identities: identities))
            identityCount += identities.count
            guard identityCount < AccountLimits.pageIdentities else { break }
        }
        return AccountPage(
            profiles: profiles, next: profiles.count < accounts.count ? profiles.last?.account.id : nil)
    }
}
