// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

/// A callback whose ID token, which came through the browser, was validated in full; a code beside it was not sent yet.
///
/// Only whoever the provider gave an ID token for this login has one: what a login uses up may be used up for it.
package struct FrontChannelSignIn: Sendable {
    /// What that ID token says. Where a code came along the sign-in is what the token endpoint says, not this.
    package let signIn: VerifiedSignIn
    let code: AuthorizationCode?
    /// What the token endpoint's ID token is held against, agreement with this one included.
    let expectation: SignInExpectation
    let metadata: ProviderMetadata
    /// Of the callback as a whole.
    let deadline: NIODeadline

    /// Whether a code came along, and is exchanged.
    package var hasCode: Bool { code != nil }
}
