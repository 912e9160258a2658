// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// An authorization response whose `iss` and, if it has one, ID token were validated, and whose code, if there is one,
/// has not been sent yet.
///
/// With an ID token, a client obtains one only if the provider issued that token for this login. It is a class for the
/// same reason as ``SignInContext``.
package final class ValidatedAuthorizationResponse: Sendable {
    /// The sign-in according to the ID token of the authorization response; `nil` if it has none. If there is a code as
    /// well, the sign-in is the one that the token endpoint confirms instead.
    package let signIn: VerifiedSignIn?
    let code: AuthorizationCode?
    let context: SignInContext

    /// Whether there is a code to exchange.
    package var hasCode: Bool { code != nil }

    init(signIn: VerifiedSignIn?, code: AuthorizationCode?, context: SignInContext) {
        self.signIn = signIn
        self.code = code
        self.context = context
    }
}
