// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The random bytes of a new login, drawn with a single call.
package struct LoginEntropy {
    /// The login ID, 16 bytes.
    package let loginID: [UInt8]
    /// The value that binds the login to the browser that began it, 32 bytes. The first half is the same for all logins
    /// that are in progress in one browser, so that what waits in it is counted together; the second half is random.
    package let binding: [UInt8]
    /// The nonce of the cipher that seals the state of the login, 12 bytes, not used for anything else.
    package let nonce: [UInt8]

    /// The number of bytes of a binding value that the logins of one browser have in common.
    package static let browserByteCount = 16

    /// - Parameter browser: What the bindings of the browser's other logins begin with; `nil` if there are none.
    package init(browser: [UInt8]?) {
        let random = SecureRandom.bytes(48 + AuthenticatedEncryption.nonceByteCount)
        loginID = Array(random[..<16])
        binding = (browser ?? Array(random[16..<32])) + random[32..<48]
        nonce = Array(random[48...])
    }
}
