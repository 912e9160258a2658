// SPDX-License-Identifier: Apache-2.0

/// A scanner that finds the frames that a server sends and skips their content.
struct FrameTypes: Sendable {
    /// A TLS handshake that has failed.
    static let alert: UInt8 = 21
    /// Anything encrypted in TLS; from a server first the rest of its flight, with its signature.
    static let encrypted: UInt8 = 23

    /// The number of bytes in front of the content.
    private let headLength: Int
    private let typeIndex: Int
    private let lengthIndices: Range<Int>
    private var head: [UInt8] = []
    private var left = 0

    /// The records of TLS (RFC 8446 section 5.1).
    static var tlsRecords: FrameTypes { FrameTypes(headLength: 5, typeIndex: 0, lengthIndices: 3..<5) }
    /// The frames of HTTP/2 (RFC 9113 section 4.1).
    static var http2: FrameTypes { FrameTypes(headLength: 9, typeIndex: 3, lengthIndices: 0..<3) }

    private init(headLength: Int, typeIndex: Int, lengthIndices: Range<Int>) {
        self.headLength = headLength
        self.typeIndex = typeIndex
        self.lengthIndices = lengthIndices
    }

    /// Returns the types of the frames that end in these bytes.
    mutating func types(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var types: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if head.count == headLength {
                let count = min(left, bytes.count - position)
                position += count
                left -= count
            } else {
                head.append(bytes[position])
                position += 1
                guard head.count == headLength else { continue }
                left = head[lengthIndices].reduce(0) { $0 << 8 | Int($1) }
            }
            guard left == 0 else { continue }
            types.append(head[typeIndex])
            head.removeAll(keepingCapacity: true)
        }
        return types
    }
}
