// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The random bytes of a new login, drawn with a single call.
struct LoginEntropy {
    /// The login ID, 16 bytes.
    let loginID: [UInt8]
    /// The value that binds the login to the browser that began it, 32 bytes.
    let binding: [UInt8]
    /// The nonce of the cipher that seals the state of the login, 12 bytes, not used for anything else.
    let nonce: [UInt8]

    init() {
        let random = SecureRandom.bytes(48 + AuthenticatedEncryption.nonceByteCount)
        loginID = Array(random[..<16])
        binding = Array(random[16..<48])
        nonce = Array(random[48...])
    }
}
