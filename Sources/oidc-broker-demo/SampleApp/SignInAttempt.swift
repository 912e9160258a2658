// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The values that the sample app keeps between the start and the callback of a sign-in.
struct SignInAttempt: Sendable {
    /// The value that binds the callback to this browser (RFC 6749 section 10.12).
    let state: String
    /// The value that binds the ID token to this attempt (OpenID Connect Core 1.0 section 3.1.2.1).
    let nonce: String
    /// The value that binds the code to this app (RFC 7636).
    let verifier: CodeVerifier
    /// The time of the start.
    let start: ContinuousClock.Instant

    /// Creates an attempt with new random values.
    init() {
        state = Base64URL.encode(SecureRandom.bytes(16))
        nonce = Base64URL.encode(SecureRandom.bytes(16))
        verifier = CodeVerifier(bytes: SecureRandom.bytes(32))
        start = .now
    }
}
