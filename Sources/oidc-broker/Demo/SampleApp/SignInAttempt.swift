// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What the sample app remembers between sending a person away and their coming back.
struct SignInAttempt: Sendable {
    /// Ties the response to this browser (RFC 6749 section 10.12).
    let state: String
    /// Ties the ID token to this attempt (OpenID Connect Core 1.0 section 3.1.2.1).
    let nonce: String
    /// Ties the code to this app (RFC 7636).
    let verifier: CodeVerifier
    /// When the person was sent away.
    let start: ContinuousClock.Instant

    /// An attempt with fresh random values.
    init() {
        state = Base64URL.encode(SecureRandom.bytes(16))
        nonce = Base64URL.encode(SecureRandom.bytes(16))
        verifier = CodeVerifier(bytes: SecureRandom.bytes(32))
        start = .now
    }
}
