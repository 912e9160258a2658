// SPDX-License-Identifier: Apache-2.0

extension HostileInput {
    /// The steps over HTTP/2.
    func streamSteps(_ target: HostileTarget) -> [HostileScript.Step] {
        let start = Array(HostileTarget.start.utf8)
        let page = Array("\(HostileTarget.prefix)handler".utf8)
        let token = Array("\(HostileTarget.prefix)token".utf8)
        func request(_ stream: UInt32, _ path: [UInt8], ends: Bool = true) -> [UInt8] {
            HTTP2Bytes.request(ends ? "GET" : "POST", path, host: target.host, stream: stream, endsStream: ends)
        }
        let opening = HTTP2Bytes.opening()
        let long = HostileTarget.longestField - 1024
        switch self {
        case .stalledWindows:
            let requests = Self.streams(99).flatMap { request($0, page) }
            let pings = (0..<12).flatMap { _ in HTTP2Bytes.ping }
            return [
                .send(HTTP2Bytes.opening(initialWindow: 0) + requests),
                .drip(pings, unit: HTTP2Bytes.ping.count, milliseconds: 1000), .pause(milliseconds: 500, reads: true),
            ]
        case .unreadPages:
            // The largest windows there are, so that nothing but the socket holds the pages back.
            let windows =
                HTTP2Bytes.opening(initialWindow: 0x7FFF_FFFF)
                + HTTP2Bytes.windowUpdate(stream: 0, by: 0x7FFF_FFFF - 65_535)
            let numbers = Self.streams(99 * 25)
            let first = numbers.prefix(99).flatMap { request($0, page) }
            let more = numbers.dropFirst(99).flatMap { request($0, page) }
            // All requests have the same length. Nothing is read between two parts.
            return [
                .send(windows + first), .drip(more, unit: first.count, milliseconds: 500),
                .pause(milliseconds: 500, reads: true),
            ]
        case .windowUpdates:
            let many = (0..<10_000).flatMap { _ in HTTP2Bytes.windowUpdate(stream: 0, by: 1) }
            return [
                .send(opening + request(1, token, ends: false) + many), .pause(milliseconds: 500, reads: true),
            ]
        case .strayFrames:
            // Of a stream that was reset, for a priority, settings without a setting, and of a type that is not known.
            let frames = [
                HTTP2Bytes.windowUpdate(stream: 1, by: 1),
                HTTP2Bytes.frame(type: 2, stream: 1, [0, 0, 0, 0, 0]),
                HTTP2Bytes.frame(type: 4, stream: 0, []),
                HTTP2Bytes.frame(type: 0xFA, stream: 0, []),
            ]
            let many = Array(repeatElement(Array(frames.joined()), count: 2_500).joined())
            let stream = request(1, token, ends: false) + HTTP2Bytes.reset(stream: 1)
            return [.send(opening + stream + many), .pause(milliseconds: 500, reads: true)]
        case .pings:
            let requests = Self.streams(20).flatMap { request($0, token, ends: false) }
            let pings = (0..<600).flatMap { _ in HTTP2Bytes.ping }
            return [
                .send(opening + requests), .drip(pings, unit: HTTP2Bytes.ping.count, milliseconds: 20),
                .pause(milliseconds: 500, reads: true),
            ]
        case .rapidResets:
            let streams = Self.streams(1000).flatMap { request($0, start) + HTTP2Bytes.reset(stream: $0) }
            return [.send(opening + streams), .pause(milliseconds: 500, reads: true)]
        case .slowStreams:
            let numbers = Self.streams(50)
            let requests = numbers.flatMap { request($0, token, ends: false) }
            let data = numbers.flatMap { HTTP2Bytes.data([0x61], stream: $0) }
            let many = (0..<12).flatMap { _ in data }
            return [
                .send(opening + requests), .drip(many, unit: data.count, milliseconds: 1000),
                .pause(milliseconds: 500, reads: true),
            ]
        case .longBodies:
            // Each part fits in the connection's window, which the target reopens in between.
            let piece = Array(repeating: UInt8(0x61), count: 15_000)
            let bodies = Self.streams(100).flatMap { stream in
                (0..<4).flatMap { _ in HTTP2Bytes.data(piece, stream: stream) }
            }
            return [
                .send(opening + Self.streams(100).flatMap { request($0, token, ends: false) }),
                .drip(bodies, unit: bodies.count / 100, milliseconds: 20),
                .pause(milliseconds: 9000, reads: true),
            ]
        case .continuations:
            let block = HTTP2Bytes.head("GET", start, host: target.host)
            let more = HTTP2Bytes.frame(
                type: 9, stream: 1, HTTP2Bytes.field("x-more", Array(repeating: 0x61, count: 1000)))
            let many = (0..<400).flatMap { _ in more }
            return [
                .send(opening + HTTP2Bytes.frame(type: 1, stream: 1, block) + many),
                .pause(milliseconds: 500, reads: true),
            ]
        case .headerTable:
            // The newest entry of the dynamic table has the number 62 (RFC 7541 section 2.3.3).
            let block =
                HTTP2Bytes.head("GET", start, host: target.host)
                + HTTP2Bytes.field("x-more", Array(repeating: 0x61, count: 4000), indexed: true)
                + Array(repeating: 0x80 | 62, count: 4000)
            let flags = HTTP2Bytes.endHeaders | HTTP2Bytes.endStream
            let streams = Self.streams(20).flatMap { HTTP2Bytes.frame(type: 1, flags: flags, stream: $0, block) }
            return [.send(opening + streams), .pause(milliseconds: 500, reads: true)]
        case .emptyData:
            let many = (0..<10_000).flatMap { _ in HTTP2Bytes.data([], stream: 1) }
            return [
                .send(opening + request(1, token, ends: false) + many), .pause(milliseconds: 500, reads: true),
            ]
        default:
            let path = Array(HostileTarget.prefix.utf8) + CombiningMarks.utf8(byteCount: long)
            let streams = Self.streams(4).flatMap { request($0, path) }
            return [.send(opening + streams), .pause(milliseconds: 500, reads: true)]
        }
    }

    /// The identifiers of streams that a client opens (RFC 9113 section 5.1.1).
    private static func streams(_ count: UInt32) -> [UInt32] { (0..<count).map { 2 * $0 + 1 } }
}
