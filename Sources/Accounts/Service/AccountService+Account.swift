// SPDX-License-Identifier: Apache-2.0

public import NIOCore

extension AccountService {
    /// Returns the account of a session.
    public func lookup(idToken: String, on eventLoop: any EventLoop) -> EventLoopFuture<Profile> {
        let (now, operations) = (now, operations)
        return asking(idToken, now: now, on: eventLoop) { asking in
            store.transact(.read, on: eventLoop) { transaction in
                let account = try operations.live(asking, in: transaction, now: now).account
                return Profile(account: account, identities: try transaction.identities(of: account.id))
            }
        }
    }

    /// Changes the name and the photo of the account of a session, and removes identities of it.
    /// - Parameters:
    ///   - displayName: The name. An empty text clears it.
    ///   - photoURL: The address of a photo. An empty text clears it.
    ///   - providers: The IDs of the providers whose identities are removed.
    ///   - idToken: The ID token of the session that asks.
    ///   - eventLoop: The event loop of the future.
    public func update(
        displayName: AccountOperations.Change = .keep, photoURL: AccountOperations.Change = .keep,
        unlinking providers: [String] = [], idToken: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Profile> {
        let (now, operations) = (now, operations)
        return asking(idToken, now: now, on: eventLoop) { asking in
            store.transact(.write, on: eventLoop) { transaction in
                var (account, identities) = try operations.update(
                    displayName: displayName, photoURL: photoURL, asking: asking, in: transaction, now: now)
                for provider in providers {
                    (account, identities) = try operations.unlink(
                        providerID: provider, asking: asking, in: transaction, now: now)
                }
                return Profile(account: account, identities: identities)
            }
        }
    }

    /// Deletes the account of a session with everything that is kept of it, if the last sign-in is recent.
    public func delete(idToken: String, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return asking(idToken, now: now, on: eventLoop) { asking in
            store.transact(.write, on: eventLoop) { transaction in
                try operations.delete(asking: asking, in: transaction, now: now)
            }
        }
    }

    /// Ends all sessions of the account of an identity, as where a provider reports that the person withdrew the consent.
    /// - Returns: Whether an account has the identity.
    public func endSessions(of identity: IdentityKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let (now, operations) = (now, operations)
        return store.transact(.write, on: eventLoop) { transaction in
            try operations.endSessions(of: identity, in: transaction, now: now)
        }
    }
}
