// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHPACK

/// What a browser sends on a new connection, and what it expects there.
struct NewConnectionMessages {
    /// The version of HTTP, by its ALPN protocol.
    enum Version: String {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    /// The size of the client's table of HPACK, in bytes.
    private static let tableSize: UInt32 = 65_536

    /// The request, with what goes before it.
    let request: ByteBuffer
    /// What the client says of the server's settings; `nil` for HTTP/1.1.
    let acknowledgment: ByteBuffer?

    init(_ version: Version) throws {
        let fields = WholeSignIn.browserFields
        var request = ByteBuffer()
        switch version {
        case .http1:
            request.writeString("GET \(WholeSignIn.startPath) HTTP/1.1\r\n")
            for (name, value) in fields { request.writeString("\(name): \(value)\r\n") }
            request.writeString("\r\n")
            acknowledgment = nil
        case .http2:
            // As Chromium: no table of its own, no push, larger windows.
            request.writeString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            var settings = ByteBuffer()
            let values: KeyValuePairs<UInt16, UInt32> = [1: Self.tableSize, 2: 0, 4: 6_291_456, 6: 262_144]
            for (identifier, value) in values { settings.writeMultipleIntegers(identifier, value) }
            Self.write(settings, type: 4, to: &request)
            Self.write(ByteBuffer(integer: UInt32(15_663_105)), type: 8, to: &request)
            var headers: HPACKHeaders = [
                ":method": "GET", ":authority": MicroBroker.authority, ":scheme": "https",
                ":path": WholeSignIn.startPath,
            ]
            for (name, value) in fields where name != "host" { headers.add(name: name, value: value) }
            var block = ByteBuffer()
            var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
            try encoder.encode(headers: headers, to: &block)
            // END_STREAM and END_HEADERS.
            Self.write(block, type: 1, flags: 5, stream: 1, to: &request)
            var acknowledgment = ByteBuffer()
            Self.write(ByteBuffer(), type: 4, flags: 1, to: &acknowledgment)
            self.acknowledgment = acknowledgment
        }
        self.request = request
    }

    /// The length of the redirect's `location` in what the server sent.
    /// - Throws: ``MicroFailure`` if it did not redirect to the provider.
    func locationLength(in received: ByteBuffer) throws -> Int {
        let location = acknowledgment == nil ? Self.location(inHTTP1: received) : try Self.location(inHTTP2: received)
        guard let location, location.hasPrefix(ProviderStandIn.issuer + "/authorize?") else {
            throw MicroFailure("a start was not redirected to the provider: \(received.readableBytes) bytes")
        }
        return location.utf8.count
    }

    private static func location(inHTTP1 received: ByteBuffer) -> String? {
        let name = "location: "
        let line = String(buffer: received).split(separator: "\r\n").first { $0.lowercased().hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)) }
    }

    private static func location(inHTTP2 received: ByteBuffer) throws -> String? {
        var rest = received
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: Int(tableSize))
        while let head = rest.readBytes(length: 9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard var payload = rest.readSlice(length: length) else { return nil }
            if head[3] == 1 { return try decoder.decodeHeaders(from: &payload).first(name: "location") }
        }
        return nil
    }

    private static func write(
        _ payload: ByteBuffer, type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, to buffer: inout ByteBuffer
    ) {
        let length = UInt32(payload.readableBytes)
        buffer.writeMultipleIntegers(UInt8(truncatingIfNeeded: length >> 16), UInt16(truncatingIfNeeded: length), type)
        buffer.writeMultipleIntegers(flags, stream)
        buffer.writeImmutableBuffer(payload)
    }
}
