// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension IDTokenCheck {
    /// The standard check of the nonce with Apple's exception: a token without a `nonce` claim that has
    /// `nonce_supported: false` was issued on a platform that cannot carry one.
    ///
    /// The missing nonce is excused only if ``IDTokenExpectation/mayExcuseMissingNonce`` is `true`, which it is for a
    /// native credential of an app for which a nonce is optional. It never is in the web flow, in which the nonce binds
    /// the token to the login. A `nonce` claim that is present is always validated, and it is required if
    /// `nonce_supported` is `true` or absent.
    package static let appleNonce = IDTokenCheck(nonce.name, variant: "Apple") { _, token, expectation in
        if expectation.mayExcuseMissingNonce, token.claims["nonce"] == nil,
            AppleClaims(Claims(token.claims)).nonceIsSupported == false
        {
            return nil
        }
        return nonce.validate(token, expectation)
    }
}
