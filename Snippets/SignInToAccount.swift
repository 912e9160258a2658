// SPDX-License-Identifier: Apache-2.0

//! A verified person is signed in to an account, which is made at the first sign-in. In the page Accounts.
// snippet.hide

import Accounts
import NIOCore

func signIn(
    _ verified: VerifiedIdentity, store: any AccountStore, now: Int64, on eventLoop: any EventLoop
) -> EventLoopFuture<SignedInAccount> {
    // snippet.show
    let operations = AccountOperations(policy: AccountPolicy())
    let refreshToken = RefreshToken(session: AccountSession.ID())
    let request = AccountOperations.SignIn(verified, authTime: now, session: NewSession(refreshToken))
    let person = store.transact(.write, on: eventLoop) { transaction in
        try operations.signIn(request, in: transaction, now: now)
    }
    // snippet.hide
    return person
}
