// SPDX-License-Identifier: Apache-2.0

/// A scanner that finds the frames that an HTTP/2 server sends and skips their content (RFC 9113 section 4.1).
struct HTTP2FrameHeads: Sendable {
    private var head: [UInt8] = []
    private var skipped = 0

    /// Returns the types of the frames that begin in these bytes.
    mutating func types(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var types: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if skipped > 0 {
                let count = min(skipped, bytes.count - position)
                position += count
                skipped -= count
                continue
            }
            head.append(bytes[position])
            position += 1
            guard head.count == 9 else { continue }
            skipped = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            types.append(head[3])
            head.removeAll(keepingCapacity: true)
        }
        return types
    }
}
