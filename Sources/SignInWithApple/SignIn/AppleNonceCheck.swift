// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect

/// ``NonceCheck`` with Apple's one exception: a token that has no `nonce` claim and says `nonce_supported: false` was
/// made on a platform that cannot carry one. It is excused only where a missing nonce may be
/// (``IDTokenExpectation/mayExcuseMissingNonce``): for a native credential of an app to which a nonce is optional, and
/// never in the web flow, whose nonce binds the token to the login.
///
/// A `nonce` claim that is there is validated in any case, and a token that says `true`, or nothing, must have one.
package struct AppleNonceCheck: IDTokenCheck {
    package static let name = NonceCheck.name

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        if expectation.mayExcuseMissingNonce, token.claims["nonce"] == nil,
            AppleClaims(Claims(token.claims)).nonceIsSupported == false
        {
            return nil
        }
        return NonceCheck().validate(token, expectation)
    }
}
