// SPDX-License-Identifier: Apache-2.0

/// Handwritten bytes of TLS 1.3 that cost a client nothing (RFC 8446).
enum TLSBytes {
    /// A ClientHello in a record of its own (sections 4.1.2 and 5.1), the same on every connection.
    static let clientHello: [UInt8] = {
        let name: [UInt8] = [0] + long(Array("localhost".utf8))
        // The base point (RFC 7748 section 4.1) is a valid public key; the client never needs the private one.
        let key: [UInt8] = [9] + Array(repeating: 0, count: 31)
        let share: [UInt8] = [0, 0x1D] + long(key)
        let extensions: [[UInt8]] = [
            // server_name (RFC 6066 section 3).
            field(0, long(name)),
            // X25519 alone, so that the server takes the key share that is there.
            field(10, long([0, 0x1D])),
            // ecdsa_secp256r1_sha256 and rsa_pss_rsae_sha256, for either kind of certificate.
            field(13, long([4, 3, 8, 4])),
            // TLS 1.3 alone.
            field(43, short([3, 4])),
            field(51, long(share)),
        ]
        // Without a session ID, with TLS_AES_128_GCM_SHA256, without compression.
        let parts: [[UInt8]] = [
            [3, 3], Array(repeating: UInt8(ascii: "r"), count: 32), short([]), long([0x13, 1]), short([0]),
            long(Array(extensions.joined())),
        ]
        let message: [UInt8] = [1, 0] + long(Array(parts.joined()))
        return [22, 3, 1] + long(message)
    }()

    /// An extension (section 4.2).
    private static func field(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { [0, type] + long(content) }

    /// A vector whose length is one byte (section 3.4).
    private static func short(_ content: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: content.count)] + content }

    /// A vector whose length is two bytes.
    private static func long(_ content: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
    }
}
