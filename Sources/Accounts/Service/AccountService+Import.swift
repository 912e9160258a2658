// SPDX-License-Identifier: Apache-2.0

package import NIOCore

// Users whom an operator brings, from another system or without one. Only the latter are events.
extension AccountService {
    /// Takes users of another system, ``AccountLimits/importsInTransaction`` in one transaction.
    /// - Parameters:
    ///   - users: The users.
    ///   - choices: What may be done with users who are here already.
    ///   - eventLoop: The event loop of the future.
    ///   - note: Is called with each account that is new, once it is committed.
    /// - Returns: What became of each of them. Where the future fails, a part of them may be taken.
    package func take(
        _ users: [ImportedUser], _ choices: ImportChoices, on eventLoop: any EventLoop,
        noting note: @escaping @Sendable (AccountID) -> Void = { _ in }
    ) -> EventLoopFuture<[ImportOutcome]> {
        take(users[...], after: [], choices, on: eventLoop, noting: note)
    }

    private func take(
        _ users: ArraySlice<ImportedUser>, after done: [ImportOutcome], _ choices: ImportChoices,
        on eventLoop: any EventLoop, noting note: @escaping @Sendable (AccountID) -> Void
    ) -> EventLoopFuture<[ImportOutcome]> {
        let part = users.prefix(AccountLimits.importsInTransaction)
        guard !part.isEmpty else { return eventLoop.makeSucceededFuture(done) }
        let operations = operations
        return store.transact(.write, on: eventLoop) { transaction in
            try operations.take(Array(part), choices, in: transaction)
        }.flatMap { outcomes in
            for (user, outcome) in zip(part, outcomes) where outcome == .added { note(user.account.id) }
            return take(users.dropFirst(part.count), after: done + outcomes, choices, on: eventLoop, noting: note)
        }
    }

    /// Makes the account of a user, with the email that the operator gives it.
    /// - Returns: What became of the user, or a failure with ``AccountRefusal`` of the code
    ///   ``AccountRefusal/Code/emailBelongsToAnother``, where nothing is written.
    package func create(_ user: ImportedUser, on eventLoop: any EventLoop) -> EventLoopFuture<ImportOutcome> {
        let operations = operations
        return write(on: eventLoop) { transaction in
            let outcome = try operations.take(user, ImportChoices(), in: transaction)
            // An import goes on without an email that another account has. An operator who names one must know.
            if outcome == .added, user.account.email != nil, try transaction.account(user.account.id)?.email == nil {
                throw AccountRefusal(.emailBelongsToAnother)
            }
            return outcome
        }
    }
}
