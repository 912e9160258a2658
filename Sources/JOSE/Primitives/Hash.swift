// SPDX-License-Identifier: Apache-2.0

import Crypto

/// SHA-2 (FIPS 180-4) and HMAC (RFC 2104) over byte arrays.
package enum Hash {
    /// SHA-256: 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(digest(bytes, SHA256.self))
    }

    /// SHA-384: 48 bytes.
    package static func sha384(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(digest(bytes, SHA384.self))
    }

    /// SHA-512: 64 bytes.
    package static func sha512(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(digest(bytes, SHA512.self))
    }

    /// HMAC with SHA-256 under a key that is prepared once. Compare codes with ``ConstantTime``.
    package struct AuthenticationKey: Sendable, CustomStringConvertible, CustomReflectable {
        private let key: SymmetricKey

        /// A key of any length; 32 bytes or more.
        package init(_ bytes: [UInt8]) {
            key = SymmetricKey(data: bytes)
        }

        /// The code of some bytes: 32 bytes.
        package func code(for bytes: [UInt8]) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }

        package var description: String { "AuthenticationKey" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// The digest that swift-crypto's signature functions take.
    static func digest<Function: HashFunction>(
        _ bytes: some Collection<UInt8>, _: Function.Type
    ) -> Function.Digest {
        var function = Function()
        bytes.withContiguousBytes { function.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return function.finalize()
    }
}
