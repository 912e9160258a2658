// SPDX-License-Identifier: Apache-2.0

import Accounts

// What a store refuses, and what it does with the records that belong to an account.
extension AccountStoreConformance {
    @Sendable static func identitiesConflict(_ examination: inout AccountExamination) async throws {
        let (ada, bob, nobody) = (account("ada"), account("bob"), account("nobody"))
        let (google, apple) = (identity("ada", of: ada), identity("ada", of: ada, provider: "apple.com"))
        try await examination.add(ada, [google, apple])
        try await examination.add(bob)
        // Under another provider ID, since Bob has an identity of Google.
        let ofBob = AccountIdentity(VerifiedIdentity(google.key, providerID: "oidc.other"), of: bob.id, at: start)
        let secondOfProvider = identity("eve", of: ada)
        let renamed = AccountIdentity(
            VerifiedIdentity(apple.key, providerID: "google.com"), of: ada.id, at: start)
        let ofNobody = identity("eve", of: nobody)
        let conflicts: [(what: String, write: AccountExamination.Write)] = [
            ("Inserting an identity that its account has", { try $0.insert(google) }),
            ("Inserting an identity that another account has", { try $0.insert(ofBob) }),
            ("Inserting a second identity of a provider", { try $0.insert(secondOfProvider) }),
            ("Giving an identity the provider ID of another one of its account", { try $0.update(renamed) }),
            ("Inserting an identity of an account that does not exist", { try $0.insert(ofNobody) }),
            ("Updating an identity that does not exist", { try $0.update(secondOfProvider) }),
            ("Updating an identity of an account that does not exist", { try $0.update(ofNobody) }),
            ("Giving an identity to another account", { try $0.update(ofBob) }),
            (
                "Inserting an identity that was inserted in the transaction",
                { transaction in
                    let eve = account("eve")
                    try insert(eve, in: transaction)
                    try transaction.insert(identity("eve", of: eve))
                }
            ),
        ]
        for (what, write) in conflicts { try await examination.checkConflict(what, write) }
        examination.check(
            try await examination.identity(ofNobody.key) == nil, "An identity that was refused is not found.")
        let moved = AccountIdentity(apple.verified, of: bob.id, at: start)
        let outcome = await examination.outcome { transaction in
            try transaction.remove(apple.key)
            try transaction.insert(moved)
        }
        examination.check(
            outcome == .committed, "An identity that was removed can be linked to another account, but \(outcome).")
        examination.check(
            try await examination.identity(apple.key)?.isExactly(moved) == true,
            "An identity that was removed and inserted belongs to its new account.")
    }

    @Sendable static func accountsConflict(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada", email: "ada@example.com"), account("bob"))
        try await examination.add(ada)
        try await examination.add(bob)
        let (nobody, eve) = (account("nobody"), account("eve", email: "ADA@Example.com"))
        var owner = bob
        owner.email = eve.email
        owner.ownsEmail = true
        let second = owner
        let again = Account(id: bob.id, createdAt: start)
        let valid = Account(id: bob.id, createdAt: start, validSince: start - 1)
        let earlier = Account(id: bob.id, createdAt: start - 1, validSince: start)
        let later = Account(id: bob.id, createdAt: start + 1, validSince: start + 1)
        let conflicts: [(what: String, write: AccountExamination.Write)] = [
            ("Inserting an account that exists", { try $0.insert(again) }),
            ("Updating an account that does not exist", { try $0.update(nobody) }),
            ("Inserting an account that owns the email of another one", { try insert(eve, in: $0) }),
            ("Giving an account the email that another one owns", { try $0.update(second) }),
            ("Lowering validSince", { try $0.update(valid) }),
            ("Giving an account an earlier time of its first sign-in", { try $0.update(earlier) }),
            ("Giving an account a later time of its first sign-in", { try $0.update(later) }),
        ]
        for (what, write) in conflicts { try await examination.checkConflict(what, write) }
        examination.check(
            try await examination.account(ada.id)?.isExactly(ada) == true, "The owner of an address keeps it.")
        let outcome = await examination.outcome { try $0.update(ada) }
        examination.check(outcome == .committed, "The owner of an address can be updated, but \(outcome).")
    }

    @Sendable static func sessionsConflict(_ examination: inout AccountExamination) async throws {
        let (ada, bob, nobody) = (account("ada"), account("bob"), account("nobody"))
        let known = session(1, of: ada)
        try await examination.add(ada, sessions: [known])
        try await examination.add(bob)
        @Sendable func changed(
            hash: [UInt8]? = nil, account: Account? = nil, authTime: Int64 = start, createdAt: Int64 = start
        ) -> AccountSession {
            AccountSession(
                id: known.id, secretHash: hash ?? known.secretHash, account: (account ?? ada).id,
                providerID: known.providerID, app: known.app, authTime: authTime, createdAt: createdAt,
                expiry: known.expiry)
        }
        let otherHash = hash(2)
        let conflicts: [(what: String, write: AccountExamination.Write)] = [
            ("Inserting a session that exists", { try $0.insert(known) }),
            ("Inserting a session of another account that exists", { try $0.insert(changed(account: bob)) }),
            ("Inserting a session of an account that does not exist", { try $0.insert(session(3, of: nobody)) }),
            ("Updating a session that does not exist", { try $0.update(session(4, of: ada)) }),
            ("Giving a session another secret", { try $0.update(changed(hash: otherHash)) }),
            ("Giving a session to another account", { try $0.update(changed(account: bob)) }),
            ("Giving a session to an account that does not exist", { try $0.update(changed(account: nobody)) }),
            ("Giving a session another time of authentication", { try $0.update(changed(authTime: start + 1)) }),
            ("Giving a session another time of its beginning", { try $0.update(changed(createdAt: start - 1)) }),
        ]
        for (what, write) in conflicts { try await examination.checkConflict(what, write) }
        examination.check(
            try await examination.session(session(3, of: nobody).id) == nil, "A session that was refused is not found.")
    }

    @Sendable static func accountsMayHaveNoIdentity(_ examination: inout AccountExamination) async throws {
        let (ada, bob, eve) = (account("ada"), account("bob"), account("eve"))
        let (google, apple) = (identity("ada", of: ada), identity("ada", of: ada, provider: "apple.com"))
        let bobs = identity("bob", of: bob)
        let alone = account("alone", email: "alone@example.com")
        let alone2 = account("alone-2")
        let insertion = await examination.outcome { try $0.insert(alone) }
        examination.check(insertion == .committed, "An account may be without an identity, but \(insertion).")
        examination.check(
            try await examination.account(alone.id)?.isExactly(alone) == true,
            "An account without an identity comes back exactly as it was written.")
        examination.check(try await examination.identities(of: alone).isEmpty, "It has no identity.")
        let removals = await examination.outcome { transaction in
            try insert(alone2, [identity("alone-2", of: alone2)], in: transaction)
            try transaction.remove(identity("alone-2", of: alone2).key)
        }
        examination.check(
            removals == .committed, "The only identity of an account can be removed, but \(removals).")
        for gone in [alone.id, alone2.id] { try await examination.transact { try $0.remove(gone) } }
        try await examination.add(ada, [google, apple])
        try await examination.add(bob, [bobs])
        let lax = identity("bob", of: bob, provider: "oidc.lax")
        let replacement = await examination.outcome { transaction in
            try transaction.remove(bobs.key)
            try transaction.insert(lax)
        }
        examination.check(
            replacement == .committed,
            "The only identity of an account can be replaced in one transaction, but \(replacement).")
        examination.check(
            try await examination.identities(of: bob) == [lax], "An identity that was replaced is not there any more.")
        let removal = await examination.outcome { transaction in
            try transaction.insert(eve)
            try transaction.remove(google.key)
            try transaction.insert(identity("eve", of: eve))
        }
        examination.check(
            removal == .committed, "One of two identities can be removed, and an account added, but \(removal).")
        examination.check(
            try await examination.identities(of: ada) == [apple], "The other one of two identities remains.")
    }

    @Sendable static func removes(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada", email: "ada@example.com"), account("bob"))
        let linked = [identity("ada", of: ada), identity("ada", of: ada, provider: "apple.com")]
        try await examination.add(ada, linked, sessions: [session(1, of: ada), session(2, of: ada)])
        try await examination.add(bob, sessions: [session(3, of: bob)])
        let absent = await examination.outcome { transaction in
            try transaction.remove(account("nobody").id)
            try transaction.remove(IdentityKey(issuer: "https://google.com", subject: "nobody"))
            try transaction.removeSessions(of: account("nobody").id, begunWith: nil, except: nil)
            try transaction.trimSessions(of: account("nobody").id, to: 0)
        }
        examination.check(absent == .committed, "Removing what is absent is no error, but \(absent).")
        let before = try await examination.contents()
        examination.check(
            before.accounts.count == 2 && before.identities.count == 3 && before.sessions.count == 3,
            "Removing what is absent removes nothing.")
        try await examination.transact { try $0.remove(ada.id) }
        examination.check(try await examination.account(ada.id) == nil, "An account that was removed is not found.")
        for known in linked {
            examination.check(
                try await examination.identity(known.key) == nil, "The identities of an account go with it.")
        }
        for number in 1...2 {
            examination.check(
                try await examination.session(sessionID(number)) == nil, "The sessions of an account go with it.")
        }
        let after = try await examination.contents()
        examination.check(
            after.accounts == [bob] && after.identities.count == 1 && after.sessions == [session(3, of: bob)],
            "Removing an account leaves the others, with their identities and sessions.")
        // Nothing of it is in the way of another one.
        let again = account("ada-2", email: "ada@example.com")
        let ofAgain = linked.map { AccountIdentity($0.verified, of: again.id, at: start) }
        let outcome = await examination.outcome { transaction in
            try insert(again, ofAgain, sessions: [session(1, of: again)], in: transaction)
            try transaction.remove(bob.id)
            try insert(bob, in: transaction)
        }
        examination.check(
            outcome == .committed,
            "The email, the identities and the name of an account that was removed are free, but \(outcome).")
        examination.check(
            try await examination.sessions(of: bob).isEmpty, "An account that was removed and added has no sessions.")
    }
}

// MARK: Sessions of an account

extension AccountStoreConformance {
    @Sendable static func sessionsAreInOrder(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada"), account("bob"))
        // By the day of the last use, then by the time of the beginning, then by the bytes of the identifier.
        let rows: [(day: Int64, createdAt: Int64, first: UInt8)] = [
            (.min, 9, 0xFF), (-1, 9, 9), (10, 5, 0x01), (10, 5, 0x7F), (10, 5, 0x80), (10, 5, 0xFF), (10, 6, 0x00),
            (11, 1, 0x00),
        ]
        var known = rows.enumerated().map { number, row in
            var session = AccountSession(
                id: sessionID(number, first: row.first), secretHash: hash(number), account: ada.id,
                providerID: "google.com", app: nil, authTime: start, createdAt: row.createdAt, expiry: start)
            session.lastUsedOn = row.day
            return session
        }
        try await examination.add(ada, sessions: [4, 0, 6, 2, 7, 5, 1, 3].map { known[$0] })
        try await examination.add(bob, sessions: [session(20, of: bob)])
        let what = "The sessions of an account are in the order of the day of their last use, of the time at which they"
        examination.check(
            try await examination.sessions(of: ada).map(\.id) == known.map(\.id),
            "\(what) began, and of their identifiers.")
        var used = known.removeFirst()
        used.lastUsedOn = 12
        known.append(used)
        let update = used
        try await examination.transact { try $0.update(update) }
        examination.check(
            try await examination.sessions(of: ada).map(\.id) == known.map(\.id), "A session that is used is the last.")
        for count in [9, 8, 3, 3, 1, 0] {
            try await examination.transact { try $0.trimSessions(of: ada.id, to: count) }
            examination.check(
                try await examination.sessions(of: ada).map(\.id) == known.suffix(count).map(\.id),
                "Of the sessions of an account those \(count) are kept that were used last.")
        }
        examination.check(
            try await examination.sessions(of: bob).count == 1, "The sessions of other accounts are kept.")
    }

    /// Adds two accounts. The first one has the sessions 1 to 5, and the second one the session 6.
    private static func addSessions(_ examination: AccountExamination) async throws -> Account {
        let (ada, bob) = (account("ada"), account("bob"))
        let providers = ["google.com", "google.com", "Google.com", "\u{E9}", "e\u{301}"]
        let known = providers.enumerated().map { session($0 + 1, of: ada, provider: $1) }
        try await examination.add(ada, sessions: known)
        try await examination.add(bob, sessions: [session(6, of: bob)])
        return ada
    }

    @Sendable static func removesSessions(_ examination: inout AccountExamination) async throws {
        let ada = try await addSessions(examination)
        let removals: [(provider: String?, kept: AccountSession.ID?, remaining: [Int])] = [
            ("apple.com", nil, [1, 2, 3, 4, 5, 6]), ("\u{E9}", nil, [1, 2, 3, 5, 6]),
            ("google.com", sessionID(2), [2, 3, 5, 6]), (nil, sessionID(3), [3, 6]), (nil, sessionID(6), [6]),
        ]
        for (provider, kept, remaining) in removals {
            try await examination.transact { transaction in
                try transaction.removeSessions(of: ada.id, begunWith: provider, except: kept)
            }
            var found: [Int] = []
            for number in 1...6 {
                if try await examination.session(sessionID(number)) != nil { found.append(number) }
            }
            let which = provider.map { "that began with \($0.debugDescription)" } ?? "that it has"
            examination.check(
                found == remaining,
                "Of an account the sessions \(which) are removed\(kept == nil ? "" : " except one"), and no others.")
        }
    }

    @Sendable static func findsSessionsOfProvider(_ examination: inout AccountExamination) async throws {
        let (ada, bob) = (account("ada"), account("bob"))
        let (asked, other) = (hash(1), hash(2))
        let sessions = [asked, nil, other, asked].enumerated().map { number, hash in
            session(number, of: ada, provider: number == 3 ? "apple.com" : "google.com", providerSession: hash)
        }
        try await examination.add(ada, sessions: sessions)
        let ofBob = session(4, of: bob, providerSession: asked)
        try await examination.add(bob, sessions: [ofBob])
        for (hash, expected) in [(hash(3), []), (asked, [sessions[0], sessions[3], ofBob]), (other, [sessions[2]])] {
            let found = try await examination.transact(.read) { try $0.sessions(begunIn: hash) }
            examination.check(
                Set(found) == Set(expected) && found.count == expected.count,
                "The sessions that began in a session of a provider are found, and no others.")
        }
    }

    @Sendable static func renamesProviders(_ examination: inout AccountExamination) async throws {
        let ada = try await addSessions(examination)
        try await examination.transact { transaction in
            try transaction.renameProvider("google.com", to: "oidc.google", inSessionsOf: ada.id)
            try transaction.renameProvider("\u{E9}", to: "\u{212B}", inSessionsOf: ada.id)
            try transaction.renameProvider("apple.com", to: "oidc.apple", inSessionsOf: ada.id)
        }
        let providers = ["oidc.google", "oidc.google", "Google.com", "\u{212B}", "e\u{301}"]
        for (number, provider) in providers.enumerated() {
            let expected = session(number + 1, of: ada, provider: provider)
            examination.check(
                try await examination.session(expected.id)?.isExactly(expected) == true,
                "The new ID of a provider is that of the sessions that began with it, and nothing else changes.")
        }
        examination.check(
            try await examination.session(sessionID(6))?.providerID == "google.com",
            "The sessions of other accounts keep the ID of their provider.")
    }

    @Sendable static func tellsProvidersApart(_ examination: inout AccountExamination) async throws {
        let ada = account("ada")
        let linked = ["\u{E9}", "e\u{301}", "apple.com", "Apple.com", "10", "1e1"].map { provider in
            AccountIdentity(
                VerifiedIdentity(IdentityKey(issuer: "https://\(provider)", subject: "ada"), providerID: provider),
                of: ada.id, at: start)
        }
        let outcome = await examination.outcome { try insert(ada, linked, in: $0) }
        examination.check(
            outcome == .committed, "Provider IDs of different bytes are those of different providers, but \(outcome).")
        let found = try await examination.identities(of: ada)
        examination.check(
            found.count == linked.count && zip(found, linked).allSatisfy { $0.isExactly($1) },
            "Provider IDs come back byte for byte.")
    }
}
