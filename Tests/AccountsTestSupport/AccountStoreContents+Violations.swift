// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import StoreTesting

extension AccountStoreContents {
    /// What is wrong with the records; empty if every invariant holds.
    package func violations(under policy: AccountPolicy) -> [String] {
        var found: [String] = []
        func require(_ holds: Bool, _ name: String) { if !holds { found.append(name) } }
        let known = Set(accounts.map(\.id))
        require(Set(identities.map(\.key)).count == identities.count, "an identity belongs to one account")
        require(identities.allSatisfy { known.contains($0.account) }, "an identity has its account")
        require(sessions.allSatisfy { known.contains($0.account) }, "a session has its account")
        let keys = accounts.compactMap(\.emailKey)
        require(Set(keys).count == keys.count, "an address belongs to one account")
        require(policy.email == .unique || keys.isEmpty, "no address is kept where addresses do not matter")
        for account in accounts {
            let own = identities.filter { $0.account == account.id }
            require(!own.isEmpty || account.imported != nil, "an account that was made here can be entered")
            require(own.count <= AccountLimits.identities, "an account has at most 20 identities")
            let providers = Set(own.map(\.verified.providerID))
            require(providers.count == own.count, "one identity of a provider")
            require(account.email != nil || !account.isEmailVerified, "an absent address is not verified")
            if let email = account.email {
                let imported = account.imported.map { $0.keeps(email, beside: own) } ?? false
                let isOwn = own.contains { $0.verified.email == email } || imported
                require(isOwn, "an account shows an address of its own identities, or the imported one")
                if policy.email == .unique {
                    let isImportedProof = account.imported.map { $0.proves(email, beside: own) } ?? false
                    require(
                        account.isEmailVerified == own.contains { $0.verified.provedEmail == email }
                            || isImportedProof,
                        "an address is verified if an identity proved it, or the other system had")
                }
            }
            let sessions = sessions.filter { $0.account == account.id }
            require(sessions.count <= AccountLimits.sessions, "an account has at most 200 sessions")
            require(sessions.allSatisfy { $0.authTime >= account.validSince }, "no session is older than validSince")
        }
        return found
    }
}

extension AccountTransaction {
    /// Everything that the store has, of up to 100,000 accounts.
    package func contents() throws -> AccountStoreContents {
        let accounts = try accounts(after: nil, limit: 100_000)
        return AccountStoreContents(
            accounts: accounts, identities: try accounts.flatMap { try identities(of: $0.id) },
            sessions: try accounts.flatMap { try sessions(of: $0.id) })
    }
}
