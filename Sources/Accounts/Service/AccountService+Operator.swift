// SPDX-License-Identifier: Apache-2.0

public import NIOCore

// What an operator does with accounts, without a session of them.
extension AccountService {
    /// Returns the accounts that some keys name, each once. A key that names none is left out.
    package func accounts(
        by keys: [AccountSearchKey], on eventLoop: any EventLoop
    ) -> EventLoopFuture<[Profile]> {
        let operations = operations
        return store.transact(.read, on: eventLoop) { transaction in
            try operations.accounts(by: keys, in: transaction)
        }
    }

    /// Makes something of a page of the list of accounts.
    /// - Parameters:
    ///   - id: The identifier after which the page begins; `nil` for the first page.
    ///   - limit: The maximum number of accounts, 1 to ``AccountLimits/page``.
    ///   - eventLoop: The event loop of the future.
    ///   - make: Makes it on a thread of the store, since a page may be large. It may be called more than once.
    package func page<Value: Sendable>(
        after id: AccountID?, limit: Int, on eventLoop: any EventLoop,
        _ make: @escaping @Sendable (AccountOperations.AccountPage) -> Value
    ) -> EventLoopFuture<Value> {
        let operations = operations
        return store.transact(.list, on: eventLoop) { transaction in
            make(try operations.page(after: id, limit: limit, in: transaction))
        }
    }

    /// Changes an account: all of it, or nothing if a part is refused.
    public func update(
        _ id: AccountID, by change: AccountChange, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Profile> {
        let (now, operations) = (now, operations)
        return write(on: eventLoop) { transaction in
            let (account, identities) = try operations.update(id, by: change, in: transaction, now: now)
            return Profile(account: account, identities: identities)
        }
    }

    /// Ends all sessions of an account. Tokens that were issued before are not accepted any more.
    public func endSessions(of id: AccountID, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return write(on: eventLoop) { transaction in
            try operations.endSessions(of: id, in: transaction, now: now)
        }
    }

    /// Ends one session of an account. Its ID tokens are not accepted by the operations here any more. The future fails
    /// with ``AccountRefusal`` if the account has no such session.
    public func endSession(
        _ id: AccountSession.ID, of account: AccountID, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return write(on: eventLoop) { transaction in
            try operations.endSession(id, of: account, in: transaction, now: now)
        }
    }

    /// Deletes an account with everything that is kept of it.
    package func delete(_ id: AccountID, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let operations = operations
        return write(on: eventLoop) { transaction in
            try operations.delete(id, in: transaction)
        }
    }

    /// Deletes accounts with everything that is kept of them, ``AccountLimits/deletionsInTransaction`` in one transaction.
    /// - Parameters:
    ///   - ids: The accounts.
    ///   - isForced: Whether accounts that are not disabled are deleted too.
    ///   - eventLoop: The event loop of the future.
    ///   - note: Is called with each account once it is deleted.
    /// - Returns: What became of each of them. Where the future fails, a part of them may be deleted.
    package func delete(
        _ ids: [AccountID], isForced: Bool, on eventLoop: any EventLoop,
        noting note: @escaping @Sendable (AccountID) -> Void = { _ in }
    ) -> EventLoopFuture<[AccountOperations.BatchDeletion]> {
        delete(ids[...], after: [], isForced: isForced, on: eventLoop, noting: note)
    }

    private func delete(
        _ ids: ArraySlice<AccountID>, after done: [AccountOperations.BatchDeletion], isForced: Bool,
        on eventLoop: any EventLoop, noting note: @escaping @Sendable (AccountID) -> Void
    ) -> EventLoopFuture<[AccountOperations.BatchDeletion]> {
        let part = ids.prefix(AccountLimits.deletionsInTransaction)
        guard !part.isEmpty else { return eventLoop.makeSucceededFuture(done) }
        let operations = operations
        return write(on: eventLoop) { transaction in
            try part.map { try operations.deleteOfBatch($0, isForced: isForced, in: transaction) }
        }.flatMap { results in
            for (id, result) in zip(part, results) where result == .deleted { note(id) }
            return delete(
                ids.dropFirst(part.count), after: done + results, isForced: isForced, on: eventLoop, noting: note)
        }
    }
}
