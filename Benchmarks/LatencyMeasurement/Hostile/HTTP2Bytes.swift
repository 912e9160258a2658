// SPDX-License-Identifier: Apache-2.0

/// Handwritten HTTP/2 bytes that a client library would not send (RFC 9113, RFC 7541).
enum HTTP2Bytes {
    /// Flags of frames.
    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    /// The beginning of a client's connection: the preface and a SETTINGS frame (RFC 9113 section 3.4).
    ///
    /// - Parameter initialWindow: The SETTINGS_INITIAL_WINDOW_SIZE in bytes; `nil` for the default.
    static func opening(initialWindow: UInt32? = nil) -> [UInt8] {
        var settings: [UInt8] = []
        if let initialWindow { settings = [0, 4] + bigEndian(initialWindow) }
        return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4, stream: 0, settings)
            // The server's own settings are acknowledged before they are received.
            + frame(type: 4, flags: 1, stream: 0, [])
    }

    /// A frame (section 4.1).
    static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = bigEndian(UInt32(truncatingIfNeeded: payload.count))
        return length[1...] + [type, flags] + bigEndian(stream) + payload
    }

    /// HEADERS of a request.
    static func request(
        _ method: String, _ path: [UInt8], host: String, stream: UInt32, endsStream: Bool
    ) -> [UInt8] {
        frame(
            type: 1, flags: endHeaders | (endsStream ? endStream : 0), stream: stream,
            head(method, path, host: host))
    }

    /// The field block of a request.
    static func head(_ method: String, _ path: [UInt8], host: String) -> [UInt8] {
        field(":method", Array(method.utf8)) + field(":scheme", Array("https".utf8))
            + field(":authority", Array(host.utf8)) + field(":path", path)
    }

    /// A literal field with a literal name, without or with indexing (RFC 7541 section 6.2).
    static func field(_ name: String, _ value: [UInt8], indexed: Bool = false) -> [UInt8] {
        [indexed ? 0x40 : 0] + length(name.utf8.count) + Array(name.utf8) + length(value.count) + value
    }

    /// RST_STREAM with CANCEL (RFC 9113 section 6.4).
    static func reset(stream: UInt32) -> [UInt8] { frame(type: 3, stream: stream, bigEndian(8)) }

    /// PING (section 6.7).
    static var ping: [UInt8] { frame(type: 6, stream: 0, Array(repeating: 7, count: 8)) }

    /// WINDOW_UPDATE (section 6.9). Stream 0 is the connection.
    static func windowUpdate(stream: UInt32, by increment: UInt32) -> [UInt8] {
        frame(type: 8, stream: stream, bigEndian(increment))
    }

    /// DATA (section 6.1).
    static func data(_ bytes: [UInt8], stream: UInt32) -> [UInt8] { frame(type: 0, stream: stream, bytes) }

    /// The length of a string with a seven-bit prefix, without Huffman coding (RFC 7541 sections 5.1 and 5.2).
    static func length(_ count: Int) -> [UInt8] {
        guard count >= 127 else { return [UInt8(truncatingIfNeeded: count)] }
        var bytes: [UInt8] = [127]
        var rest = count - 127
        while rest >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
        return bytes
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
