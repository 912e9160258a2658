// SPDX-License-Identifier: Apache-2.0

/// gzip without compression (RFC 1952 with the stored blocks of RFC 1951 section 3.2.4). Every gzip decoder can read
/// it, so that a client that decodes unrequested compression becomes visible.
enum GzipEncoding {
    /// Encodes bytes.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        // The header: magic number, deflate, no flags, no time, no extra flags, unknown system.
        var encoded: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            encoded.append(rest.isEmpty ? 1 : 0)
            append(length, to: &encoded)
            append(~length, to: &encoded)
            encoded += block
        } while !rest.isEmpty
        append(checksum(bytes), to: &encoded)
        append(UInt32(truncatingIfNeeded: bytes.count), to: &encoded)
        return encoded
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns the CRC-32 (RFC 1952 section 8).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
