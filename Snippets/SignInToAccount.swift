// SPDX-License-Identifier: Apache-2.0

//! A verified user is signed in to an account, which is made at the first sign-in. In the page Accounts.
// snippet.hide

import Accounts
import NIOCore

func signIn(
    _ verified: VerifiedIdentity, store: any AccountStore, tokens: AccountTokens,
    clock: @escaping @Sendable () -> Int64, on eventLoop: any EventLoop
) -> EventLoopFuture<AccountService.SignedIn> {
    // snippet.show
    let accounts = AccountService(store: store, policy: AccountPolicy(), tokens: tokens, clock: clock)
    let signedIn = accounts.signIn(SignInRequest(verified), on: eventLoop)
    // snippet.hide
    return signedIn
}
