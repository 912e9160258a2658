// SPDX-License-Identifier: Apache-2.0

/// HTTP/2 as bytes, written without NIO: frames (RFC 9113 section 4.1) with header blocks that use neither the dynamic
/// table nor Huffman codes (RFC 7541 section 6.2.2).
package enum HTTP2Wire {
    /// The client's preface with empty settings.
    package static let preface =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4, flags: 0, stream: 0, [])

    package static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff), type, flags, 0, 0, 0, stream]
            + payload
    }

    package static func headers(stream: UInt8, endsStream: Bool = true, _ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            block += self.length(name.utf8.count)
            block += name.utf8
            block += self.length(value.utf8.count)
            block += value.utf8
        }
        return self.frame(type: 1, flags: endsStream ? 0x5 : 0x4, stream: stream, block)
    }

    /// A length in seven bits and as many bytes more as it takes (RFC 7541 section 5.1).
    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 127 else { return [UInt8(count)] }
        var bytes: [UInt8] = [127]
        var rest = count - 127
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    package static func request(
        stream: UInt8, _ method: String, _ path: String, endsStream: Bool = true, _ more: [(String, String)] = []
    ) -> [UInt8] {
        self.headers(
            stream: stream, endsStream: endsStream,
            [(":method", method), (":scheme", "https"), (":authority", "broker.test"), (":path", path)] + more)
    }

    package static func data(stream: UInt8, _ text: String, endsStream: Bool = true) -> [UInt8] {
        self.frame(type: 0, flags: endsStream ? 1 : 0, stream: stream, Array(text.utf8))
    }

    package static func reset(stream: UInt8) -> [UInt8] {
        self.frame(type: 3, flags: 0, stream: stream, [0, 0, 0, 8])
    }

    package struct Frame: Equatable {
        package var type: UInt8
        package var flags: UInt8
        package var stream: UInt8
        package var payload: [UInt8]

        package init(type: UInt8, flags: UInt8, stream: UInt8, payload: [UInt8]) {
            self.type = type
            self.flags = flags
            self.stream = stream
            self.payload = payload
        }
    }

    /// The whole frames in bytes that begin with one.
    package static func frames(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            frames.append(
                Frame(type: head[3], flags: head[4], stream: head[8], payload: Array(rest.dropFirst(9).prefix(count))))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }
}
