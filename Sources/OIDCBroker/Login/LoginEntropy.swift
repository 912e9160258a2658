// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The random bytes of a new login, by one entropy call.
struct LoginEntropy {
    /// 16 bytes; the login's name.
    let loginID: [UInt8]
    /// 32 bytes; bind the login to the browser that began it.
    let binding: [UInt8]
    /// 12 bytes; the nonce of the cipher that seals the login's state, used for that only.
    let nonce: [UInt8]

    init() {
        let random = SecureRandom.bytes(48 + AuthenticatedEncryption.nonceByteCount)
        loginID = Array(random[..<16])
        binding = Array(random[16..<48])
        nonce = Array(random[48...])
    }
}
