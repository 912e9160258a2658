// SPDX-License-Identifier: Apache-2.0

public import NIOCore

extension AccountService {
    /// Enters an account as a sign-in does, by the same rules, and begins no session: for a server that keeps sessions
    /// of its own and wants to know whose account it is. There are no tokens.
    ///
    /// Nothing is used up, so the caller sees to it that what was verified is not presented twice. Neither a disabled
    /// account nor ended sessions reach the sessions of that server: they are seen at the next entry.
    /// - Parameters:
    ///   - identity: What was verified.
    ///   - authTime: When it was verified, in seconds since 1970; `nil` for now.
    ///   - mayCreate: Whether an account may be made.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future that fails with ``AccountRefusal``, or with an error of the store.
    public func enter(
        _ identity: VerifiedIdentity, authTime: Int64? = nil, mayCreate: Bool = true, on eventLoop: any EventLoop
    ) -> EventLoopFuture<EnteredAccount> {
        let (now, operations) = (now, operations)
        let request = AccountOperations.Entry(identity, authTime: authTime ?? now, mayCreate: mayCreate)
        return transact(.write, for: .identity(identity.key), on: eventLoop) { transaction in
            try operations.enter(request, in: transaction, now: now)
        }
    }
}
