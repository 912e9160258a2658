// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import Testing

@Suite struct HostileInputTests {
    private static let target = HostileTarget(port: 4711)
    private static let messages = HostileInput.allCases.filter { input in
        let slow: Set<HostileInput> = [.slowHead, .slowBody, .unreadResponses]
        return !input.needsTLS && !input.isConnectionAlone && !slow.contains(input)
    }
    private static let streams = HostileInput.allCases.filter(\.isHTTP2)

    /// The heads and the bodies of a script's requests.
    private static func requests(_ input: HostileInput) -> [(head: [UInt8], body: [UInt8])] {
        input.script(for: target).steps.compactMap { step in
            guard case .send(let bytes) = step else { return nil }
            let end = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }
            return end.map { (Array(bytes[..<($0 + 4)]), Array(bytes[($0 + 4)...])) }
        }
    }

    @Test(arguments: messages)
    func `a request is one that the broker reads to its end`(input: HostileInput) throws {
        let requests = Self.requests(input)
        #expect(!requests.isEmpty)
        // Requests of a script are all the same.
        let request = try #require(requests.first)
        #expect(request.head.count <= HostileTarget.longestHead)
        #expect(request.body.count <= HostileTarget.longestBody)
        let fields = request.head.split(separator: UInt8(ascii: "\n"))
        for field in fields { #expect(field.count <= HostileTarget.longestField) }
        #expect(fields.count <= 100)
    }

    @Test(arguments: [
        HostileInput.tokenMarks, .tokenNames, .tokenNesting, .tokenNumber, .tokenNumbers, .clientMarks, .grantMarks,
        .providerMarks, .nameMarks, .parameters, .sameParameter,
    ])
    func `a body is nearly as long as bodies may be, and as long as it says`(input: HostileInput) throws {
        let request = try #require(Self.requests(input).first)
        #expect(request.body.count > HostileTarget.longestBody - 4096)
        let length = Array("content-length: \(request.body.count)\r\n".utf8)
        #expect(request.head.indices.contains { request.head[$0...].starts(with: length) })
    }

    @Test(arguments: [HostileInput.queryMarks, .pathMarks, .credentialMarks, .fieldMarks, .cookies, .fields])
    func `a head is as long as a field may be, or nearly`(input: HostileInput) throws {
        let request = try #require(Self.requests(input).first)
        #expect(request.head.count > HostileTarget.longestField - 2048)
    }

    @Test func `a token's header holds marks where its algorithm should be`() throws {
        let body = try #require(Self.requests(.tokenMarks).first).body
        let form = URLParameters(form: body)
        #expect(form["client_id"] == "bench")
        let token = try #require(form["id_token"])
        let header = try #require(Base64URL.decode(String(token.prefix { $0 != "." })))
        #expect(header.starts(with: Array("{\"alg\":\"".utf8) + [0xCD, 0x85]))
        #expect(header.count { $0 == 0xCC } > 15_000)
    }

    @Test(arguments: streams)
    func `what is for HTTP/2 begins as HTTP/2 does and consists of whole frames`(input: HostileInput) throws {
        let script = input.script(for: Self.target)
        #expect(script.isHTTP2)
        guard case .send(let bytes) = try #require(script.steps.first) else {
            Issue.record("it begins with something else")
            return
        }
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        try #require(bytes.starts(with: preface))
        var position = preface.count
        var types: [UInt8] = []
        while position + 9 <= bytes.count {
            let length = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
            // The longest frame that a peer takes without having said so (RFC 9113 section 4.2).
            #expect(length <= 16_384)
            types.append(bytes[position + 3])
            position += 9 + length
        }
        #expect(position == bytes.count)
        #expect(types.first == 4)
        #expect(types.contains(1))
    }

    @Test func `a ClientHello is a whole record that offers one key, without TLS below it`() throws {
        let script = HostileInput.clientHellos.script(for: Self.target)
        #expect(script.isHandshake)
        #expect(!script.isHTTP2)
        try #require(script.steps.count == 2)
        #expect(script.steps[1] == .flight)
        guard case .send(let bytes) = script.steps[0] else {
            Issue.record("it begins with something else")
            return
        }
        func number(_ position: Int) -> Int { Int(bytes[position]) << 8 | Int(bytes[position + 1]) }
        try #require(bytes.count > 51)
        // The record, the message in it, its version, and what is before the extensions: no session, one cipher suite.
        #expect(bytes[0...2] == [22, 3, 1])
        #expect(number(3) == bytes.count - 5)
        #expect(bytes[5...6] == [1, 0])
        #expect(number(7) == bytes.count - 9)
        #expect(bytes[9...10] == [3, 3])
        #expect(bytes[43...49] == [0, 0, 2, 0x13, 1, 1, 0])
        #expect(number(50) == bytes.count - 52)
        var position = 52
        var extensions: [Int: [UInt8]] = [:]
        while position + 4 <= bytes.count {
            let end = position + 4 + number(position + 2)
            try #require(end <= bytes.count)
            #expect(extensions.updateValue(Array(bytes[(position + 4)..<end]), forKey: number(position)) == nil)
            position = end
        }
        #expect(position == bytes.count)
        // server_name, supported_groups, signature_algorithms, supported_versions, key_share.
        #expect(extensions.keys.sorted() == [0, 10, 13, 43, 51])
        #expect(extensions[10] == [0, 2, 0, 29])
        #expect(extensions[43] == [2, 3, 4])
        #expect(extensions[51]?.count == 38)
        #expect(extensions[51]?.prefix(6) == [0, 36, 0, 29, 0, 32])
    }

    @Test func `without TLS, neither a handshake nor HTTP/2 can be sent`() {
        #expect(HostileInput.clientHellos.needsTLS)
        #expect(HostileInput.rapidResets.needsTLS)
        #expect(!HostileInput.handshakes.needsTLS)
    }

    @Test func `pages that are not read are asked for in whole parts, by new streams`() throws {
        let steps = HostileInput.unreadPages.script(for: Self.target).steps
        guard case .send(let first) = steps.first, case .drip(let more, let unit, _) = steps.dropFirst().first else {
            Issue.record("it has other steps")
            return
        }
        try #require(first.count == 61 + unit)
        // Behind the preface SETTINGS with the largest window of a stream (RFC 9113 section 6.5.2), and then that of the
        // connection.
        #expect(first[24..<39] == [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(first[48..<61] == [0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0, 0])
        try #require(more.count == 24 * unit)
        // HEADERS of the hundredth stream.
        #expect(more[3] == 1)
        #expect(more[5...8] == [0, 0, 0, 199])
    }

    @Test func `a subresource says that it is one, of a callback by POST too`() {
        let requests = Self.requests(.foreignSubresources)
        #expect(requests.contains { $0.head.starts(with: Array("POST /__/auth/handler ".utf8)) && !$0.body.isEmpty })
        for request in requests {
            let lines = request.head.split(separator: UInt8(ascii: "\n")).map { Array($0) }
            #expect(lines.contains(Array("sec-fetch-site: cross-site\r".utf8)))
            #expect(lines.contains(Array("sec-fetch-mode: no-cors\r".utf8)))
        }
    }

    @Test(arguments: HostileInput.allCases)
    func `no script is without an end`(input: HostileInput) {
        let script = input.script(for: Self.target)
        #expect(!script.steps.isEmpty)
        #expect(script.byteCount < 8_000_000)
    }

    @Test(arguments: [0, 11, 12, 100, 48_000])
    func `marks are text of at most the length asked for`(byteCount: Int) {
        let marks = CombiningMarks.utf8(byteCount: byteCount)
        #expect(marks.count <= byteCount)
        #expect(marks.count > byteCount - 12)
        #expect(Array(String(decoding: marks, as: UTF8.self).utf8) == marks)
        let encoded = CombiningMarks.percentEncoded(byteCount: byteCount)
        #expect(encoded.count <= byteCount)
        #expect(encoded.prefix(6).elementsEqual("%CD%85".utf8) || byteCount < 36)
    }
}
