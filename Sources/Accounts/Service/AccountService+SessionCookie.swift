// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension AccountService {
    /// Makes a session cookie of an ID token that was issued at most ``SessionCookies/maximumTokenAge`` ago, if the session
    /// has not ended.
    /// - Parameters:
    ///   - idToken: The ID token, which must not have expired.
    ///   - lifetime: How long the cookie is valid, in seconds, one of ``SessionCookies/lifetimes``.
    ///   - cookies: What makes the cookies.
    ///   - eventLoop: The event loop of the future.
    package func makeSessionCookie(
        of idToken: String, lifetime: Int64, by cookies: SessionCookies, on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        let (now, operations) = (now, operations)
        let asking: AuthenticatedSession
        do throws(AccountTokenError) {
            let token = try tokens.verify(idToken, now: now)
            guard now - token.issuedAt <= SessionCookies.maximumTokenAge else { throw AccountTokenError(.expired) }
            asking = token.session
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let holder = AccountQueues.Holder.account(asking.account)
        return signed(in: queues.refreshes, for: holder, isSlow: cookies.isSlow, on: eventLoop) {
            transact(.read, for: holder, on: eventLoop) { transaction in
                let (session, account) = try operations.live(asking, in: transaction, now: now)
                return (account, session, try transaction.identities(of: account.id))
            }.flatMap { account, session, identities in
                sign(isSlow: cookies.isSlow, on: eventLoop) {
                    try cookies.sign(
                        account, identities: identities, session: session, lifetime: lifetime, now: now)
                }
            }
        }
    }
}
