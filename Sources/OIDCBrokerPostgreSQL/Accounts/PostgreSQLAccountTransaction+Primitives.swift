// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// The primitives, each of which is one statement.
    extension PostgreSQLAccountTransaction: AccountTransaction {
        // MARK: Reads

        func identity(_ key: IdentityKey) throws -> AccountIdentity? {
            try first(AccountQuestion(.identity, IdentityRow.key(key)), IdentityRow.read)
        }

        func identities(of account: AccountID) throws -> [AccountIdentity] {
            try all(AccountQuestion(.identities, [Array(account.text.utf8)]), IdentityRow.read)
        }

        func account(_ id: AccountID) throws -> Account? {
            try first(AccountQuestion(.account, [Array(id.text.utf8)]), AccountRow.read)
        }

        func account(owning email: EmailAddress) throws -> Account? {
            try first(AccountQuestion(.accountOfEmail, [Array(email.key.utf8)]), AccountRow.read)
        }

        func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
            let parameters: [[UInt8]?] = [Array((id?.text ?? "").utf8), PostgreSQLBytes.number(Int64(max(0, limit)))]
            return try all(AccountQuestion(.accounts, parameters), AccountRow.read)
        }

        func session(_ id: AccountSession.ID) throws -> AccountSession? {
            try first(AccountQuestion(.session, [id.bytes]), SessionRow.read)
        }

        func sessions(of account: AccountID) throws -> [AccountSession] {
            try all(AccountQuestion(.sessions, [Array(account.text.utf8)]), SessionRow.read)
        }

        // MARK: Writes

        func insert(_ account: Account) throws {
            try write(AccountQuestion(.insertAccount, AccountRow.values(account)))
        }

        func update(_ account: Account) throws {
            try write(AccountQuestion(.updateAccount, AccountRow.values(account)), mustChange: true)
        }

        func remove(_ account: AccountID) throws {
            try write(AccountQuestion(.removeAccount, [Array(account.text.utf8)]))
        }

        func insert(_ identity: AccountIdentity) throws {
            try write(AccountQuestion(.insertIdentity, IdentityRow.values(identity)))
        }

        func update(_ identity: AccountIdentity) throws {
            try write(AccountQuestion(.updateIdentity, IdentityRow.values(identity)), mustChange: true)
        }

        func remove(_ identity: IdentityKey) throws {
            try write(AccountQuestion(.removeIdentity, IdentityRow.key(identity)))
        }

        func insert(_ session: AccountSession) throws {
            try write(AccountQuestion(.insertSession, SessionRow.values(session)))
        }

        func update(_ session: AccountSession) throws {
            try write(AccountQuestion(.updateSession, SessionRow.values(session)), mustChange: true)
        }

        func remove(_ session: AccountSession.ID) throws {
            try write(AccountQuestion(.removeSession, [session.bytes]))
        }

        func removeSessions(
            of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
        ) throws {
            let parameters: [[UInt8]?] = [Array(account.text.utf8), providerID.map { Array($0.utf8) }, kept?.bytes]
            try write(AccountQuestion(.removeSessions, parameters))
        }

        func trimSessions(of account: AccountID, to count: Int) throws {
            let parameters: [[UInt8]?] = [Array(account.text.utf8), PostgreSQLBytes.number(Int64(max(0, count)))]
            try write(AccountQuestion(.trimSessions, parameters))
        }

        func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
            let parameters: [[UInt8]?] = [Array(newID.utf8), Array(account.text.utf8), Array(providerID.utf8)]
            try write(AccountQuestion(.renameProvider, parameters))
        }

        func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
            try write(AccountQuestion(.consume, [hash, PostgreSQLBytes.number(expiry)])) > 0
        }

        /// Removes sessions and used-up entries that have expired, at most so many in all.
        func sweep(before now: Int64, limit: Int) throws -> Int {
            func remove(_ statement: AccountStatement, _ limit: Int) throws -> Int {
                try write(
                    AccountQuestion(
                        statement, [PostgreSQLBytes.number(now), PostgreSQLBytes.number(Int64(max(0, limit)))]))
            }
            let sessions = try remove(.sweepSessions, limit)
            return sessions + (try remove(.sweepConsumed, limit - sessions))
        }
    }
#endif
