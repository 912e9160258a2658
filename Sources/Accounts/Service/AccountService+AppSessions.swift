// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDConnect

// The sessions of OpenID apps. Each call is one transaction, and another issuer signs.
extension AccountService {
    /// Begins the session of an app.
    /// - Returns: The refresh token, or a failure with ``AccountRefusal`` if the account may not be used.
    package func begin(
        _ request: AppSessionRequest, keys: SuccessorKeys, on eventLoop: any EventLoop
    ) -> EventLoopFuture<AppRefreshToken> {
        let (now, operations) = (now, operations)
        return transact(.write, for: .account(request.account), on: eventLoop) { transaction in
            try operations.begin(request, keys: keys, in: transaction, now: now)
        }
    }

    /// Refreshes the session of an app. See ``AccountOperations/refresh(_:keys:in:now:if:)``.
    package func refresh(
        _ token: AppRefreshToken, of app: String, policy: RefreshTokenPolicy, keys: SuccessorKeys,
        on eventLoop: any EventLoop, if mayGoOn: @escaping @Sendable (AppSession) throws -> Void
    ) -> EventLoopFuture<AppRefresh> {
        let (now, operations, presented) = (now, operations, presented(token, of: app, policy))
        // Whose session it is, the transaction says.
        return transact(.write, for: nil, on: eventLoop) { transaction in
            try operations.refresh(presented, keys: keys, in: transaction, now: now, if: mayGoOn)
        }
    }

    /// Returns the session of a token that an app could refresh; `nil` if there is none.
    package func session(
        of token: AppRefreshToken, of app: String, policy: RefreshTokenPolicy, keys: SuccessorKeys,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<AppSession?> {
        let (now, operations, presented) = (now, operations, presented(token, of: app, policy))
        return transact(.read, for: nil, on: eventLoop) { transaction in
            try operations.session(of: presented, keys: keys, in: transaction, now: now)
        }
    }

    /// Ends the session of a token, which may have been replaced.
    /// - Returns: The session; `nil` if there is none.
    package func end(
        _ token: AppRefreshToken, of app: String, keys: SuccessorKeys, on eventLoop: any EventLoop
    ) -> EventLoopFuture<AccountSession?> {
        let (now, operations) = (now, operations)
        return transact(.write, for: nil, on: eventLoop) { transaction in
            try operations.end(token, of: app, keys: keys, in: transaction, now: now)
        }
    }

    /// Ends the session of a grant that was used twice, if there is one.
    package func endAppSession(
        _ id: AccountSession.ID, of app: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let (now, operations) = (now, operations)
        return transact(.write, for: nil, on: eventLoop) { transaction in
            try operations.endAppSession(id, of: app, in: transaction, now: now)
        }
    }

    private func presented(
        _ token: AppRefreshToken, of app: String, _ policy: RefreshTokenPolicy
    ) -> PresentedAppToken {
        PresentedAppToken(token, of: app, policy: policy, absence: queues.storeReturn.absence(at: now))
    }
}
