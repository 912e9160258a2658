// SPDX-License-Identifier: Apache-2.0

/// A scanner that finds the records that a TLS server sends and skips their content (RFC 8446 section 5.1).
struct TLSRecordTypes: Sendable {
    /// A handshake that has failed.
    static let alert: UInt8 = 21
    /// Anything encrypted; from a server first the rest of its flight, with its signature.
    static let encrypted: UInt8 = 23

    private var head: [UInt8] = []
    private var left = 0

    /// Returns the types of the records that end in these bytes.
    mutating func types(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var types: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if head.count == 5 {
                let count = min(left, bytes.count - position)
                position += count
                left -= count
            } else {
                head.append(bytes[position])
                position += 1
                guard head.count == 5 else { continue }
                left = Int(head[3]) << 8 | Int(head[4])
            }
            guard left == 0 else { continue }
            types.append(head[0])
            head.removeAll(keepingCapacity: true)
        }
        return types
    }
}
