// SPDX-License-Identifier: Apache-2.0

package import JOSE
public import NIOCore

extension AccountService {
    /// Returns the account of a session.
    public func lookup(asking: AuthenticatedSession, on eventLoop: any EventLoop) -> EventLoopFuture<Profile> {
        let (now, operations) = (now, operations)
        return transact(.read, for: .account(asking.account), on: eventLoop) { transaction in
            let account = try operations.live(asking, in: transaction, now: now).account
            return Profile(account: account, identities: try transaction.identities(of: account.id))
        }
    }

    /// Changes the name and the photo of the account of a session, and removes identities of it.
    /// - Parameters:
    ///   - displayName: The name.
    ///   - photoURL: The address of a photo.
    ///   - providers: The IDs of the providers whose identities are removed.
    ///   - asking: The session that asks.
    ///   - eventLoop: The event loop of the future.
    public func update(
        displayName: AttributeChange = .keep, photoURL: AttributeChange = .keep, unlinking providers: [String] = [],
        asking: AuthenticatedSession, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Profile> {
        let (now, operations) = (now, operations)
        return transact(.write, for: .account(asking.account), on: eventLoop) { transaction in
            let (account, identities) = try operations.update(
                displayName: displayName, photoURL: photoURL, unlinking: providers, asking: asking, in: transaction,
                now: now)
            return Profile(account: account, identities: identities)
        }
    }

    /// Deletes the account of a session with everything that is kept of it, if the last sign-in is recent.
    public func delete(asking: AuthenticatedSession, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return transact(.write, for: .account(asking.account), on: eventLoop) { transaction in
            try operations.delete(asking: asking, in: transaction, now: now)
        }
    }

    /// Records that the user of a session was proved to be there, as by a revocation at the provider.
    public func prove(_ session: AuthenticatedSession, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return transact(.write, for: .account(session.account), on: eventLoop) { transaction in
            try operations.prove(session, in: transaction, now: now)
        }
    }

    /// Ends the sessions of the account of an identity, as where a provider reports that the user withdrew the consent.
    /// - Parameters:
    ///   - identity: The identity.
    ///   - isRevocation: Whether the provider reports that the consent is gone. Where the user's own app had it revoked
    ///     in the ten minutes before and the user has not signed in since, nothing is ended.
    ///   - eventTime: When it happened, in seconds since 1970. Only sessions that began until then end; `nil` for all
    ///     sessions.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: Whether an account has the identity.
    public func endSessions(
        of identity: IdentityKey, isRevocation: Bool = false, eventTime: Int64? = nil, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        let (now, operations) = (now, operations)
        return write(on: eventLoop) { transaction in
            try operations.endSessions(
                of: identity, isRevocation: isRevocation, eventTime: eventTime, in: transaction, now: now)
        }
    }

    /// Ends the sessions that a provider reports as ended.
    /// - Parameters:
    ///   - providerSession: The hash of the provider's session in which they began; `nil` if none is named.
    ///   - identity: An identity with which they began; `nil` if those of other sessions of the provider stay.
    ///   - apps: The client IDs of apps whose refresh tokens remain.
    ///   - eventLoop: The event loop of the future.
    package func endSessions(
        begunIn providerSession: [UInt8]?, orWith identity: IdentityKey?, exceptRefreshTokensOf apps: Set<String> = [],
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return write(on: eventLoop) { transaction in
            try operations.endSessions(
                begunIn: providerSession, orWith: identity, exceptRefreshTokensOf: apps, in: transaction, now: now)
        }
    }

    /// Returns whether there is an account of an identifier, and it is not disabled.
    /// - Parameters:
    ///   - id: The identifier.
    ///   - time: The time since which its sessions must not have been ended, in seconds since 1970; `nil` if that does not
    ///     matter.
    ///   - session: The session of an app that must not have ended, 16 bytes; `nil` if none matters.
    ///   - eventLoop: The event loop of the future.
    package func isUsable(
        _ id: AccountID, since time: Int64? = nil, session: [UInt8]? = nil, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        let now = now
        return store.transact(.read, on: eventLoop) { transaction in
            guard let account = try transaction.account(id), !account.isDisabled,
                time.map({ $0 >= account.validSince }) ?? true
            else { return false }
            guard let session else { return true }
            guard let session = try AccountSession.ID(bytes: session).flatMap(transaction.session) else { return false }
            return session.account == id && session.wire == .app && session.expiry > now
        }
    }

    /// Returns the claims that are kept with an identity of an account; empty if there are none.
    package func keptClaims(
        of key: IdentityKey, in id: AccountID, on eventLoop: any EventLoop
    ) -> EventLoopFuture<JSONObject> {
        let operations = operations
        return store.transact(.read, on: eventLoop) { transaction in
            guard try transaction.identity(key)?.account == id else { return JSONObject() }
            return try operations.keptClaims(of: key, in: transaction) ?? JSONObject()
        }
    }
}
