// SPDX-License-Identifier: Apache-2.0

import Crypto

/// SHA-2 (FIPS 180-4) and HMAC (RFC 2104) of bytes.
///
/// Arrays and texts have overloads of their own, because generic code is not specialized across modules of the package
/// and would then cost more than the hash.
package enum Hash {
    /// The SHA-256 hash, 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { sha256(buffer: $0) }
    }

    /// The SHA-256 hash, 32 bytes.
    package static func sha256(_ text: String.UTF8View) -> [UInt8] {
        text.withContiguousBytes { sha256(buffer: $0) }
    }

    /// The SHA-256 hash, 32 bytes.
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        bytes.withContiguousBytes { sha256(buffer: $0) }
    }

    /// The SHA-1 hash, 20 bytes. It identifies a certificate (`x5t`, RFC 7515 section 4.1.7), and protects nothing.
    package static func sha1(_ bytes: some Collection<UInt8>) -> [UInt8] {
        digest(bytes, Insecure.SHA1.self).withUnsafeBytes { Array($0) }
    }

    /// The SHA-384 hash, 48 bytes.
    package static func sha384(_ bytes: some Collection<UInt8>) -> [UInt8] {
        digest(bytes, SHA384.self).withUnsafeBytes { Array($0) }
    }

    /// The SHA-512 hash, 64 bytes.
    package static func sha512(_ bytes: some Collection<UInt8>) -> [UInt8] {
        digest(bytes, SHA512.self).withUnsafeBytes { Array($0) }
    }

    private static func sha256(buffer: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var function = SHA256()
        function.update(bufferPointer: UnsafeRawBufferPointer(buffer))
        return function.finalize().withUnsafeBytes { Array($0) }
    }

    /// An HMAC-SHA-256 key that is prepared once. Compare its codes with ``ConstantTime``.
    package struct AuthenticationKey: Sendable, Unprinted {
        /// The state of the hash after the padded key (RFC 2104 section 4). Keeping it reduces a code to two hashes;
        /// swift-crypto's `HMAC` prepares the key for each code.
        private let inner: SHA256
        private let outer: SHA256

        /// Creates a key of any length, which should be at least 32 bytes.
        package init(_ bytes: [UInt8]) {
            var block = bytes.count > SHA256.blockByteCount ? Hash.sha256(bytes) : bytes
            block += [UInt8](repeating: 0, count: SHA256.blockByteCount - block.count)
            inner = Self.state(behind: block.map { $0 ^ 0x36 })
            outer = Self.state(behind: block.map { $0 ^ 0x5C })
        }

        private static func state(behind block: [UInt8]) -> SHA256 {
            var function = SHA256()
            block.withUnsafeBytes { function.update(bufferPointer: $0) }
            return function
        }

        /// The authentication code of the given bytes, 32 bytes.
        package func code(for bytes: [UInt8]) -> [UInt8] {
            var inner = inner
            bytes.withUnsafeBytes { inner.update(bufferPointer: $0) }
            var outer = outer
            inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
            return outer.finalize().withUnsafeBytes { Array($0) }
        }
    }

    /// The digest in the type that swift-crypto's signature functions accept.
    static func digest<Function: HashFunction>(
        _ bytes: some Collection<UInt8>, _: Function.Type
    ) -> Function.Digest {
        var function = Function()
        bytes.withContiguousBytes { function.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return function.finalize()
    }
}
