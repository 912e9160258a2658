// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

/// A callback whose front-channel ID token was validated in full, and whose code, if there is one, has not been sent
/// yet.
///
/// A client obtains one only with an ID token that the provider issued for this login, so what a login may use only
/// once can be used up for it.
package struct FrontChannelSignIn: Sendable {
    /// The sign-in according to that ID token. If there is a code, the sign-in is the one that the token endpoint
    /// confirms instead.
    package let signIn: VerifiedSignIn
    let code: AuthorizationCode?
    /// What the token endpoint's ID token is held against, agreement with this one included.
    let expectation: SignInExpectation
    let metadata: ProviderMetadata
    /// The deadline of the whole callback.
    let deadline: NIODeadline

    /// Whether there is a code to exchange.
    package var hasCode: Bool { code != nil }
}
