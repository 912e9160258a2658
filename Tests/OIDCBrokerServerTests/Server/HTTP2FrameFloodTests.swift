// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerServer
import Testing
import TestingSupport

/// HTTP/2 connections with many frames beside their requests.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct HTTP2FrameFloodTests {
    /// A frame that no request needs.
    enum Kind: CaseIterable {
        case connectionWindow, closedStreamWindow, priority, ping, settings, unknown

        /// Frames of this kind.
        func frames(_ count: Int) -> [UInt8] { Array(repeatElement(frame, count: count).joined()) }

        private var frame: [UInt8] {
            switch self {
            case .connectionWindow: HTTP2Wire.frame(type: 8, flags: 0, stream: 0, [0, 0, 0, 1])
            case .closedStreamWindow: HTTP2Wire.frame(type: 8, flags: 0, stream: 1, [0, 0, 0, 1])
            case .priority: HTTP2Wire.frame(type: 2, flags: 0, stream: 1, [0, 0, 0, 0, 0])
            case .ping: HTTP2Wire.frame(type: 6, flags: 0, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8])
            case .settings: HTTP2Wire.frame(type: 4, flags: 0, stream: 0, [])
            case .unknown: HTTP2Wire.frame(type: 0xFA, flags: 0, stream: 0, [])
            }
        }
    }

    private static func request(_ stream: UInt8) -> [UInt8] { HTTP2Wire.request(stream: stream, "GET", "/elsewhere") }

    private func withConnection(_ body: (RawConnection) async throws -> Void) async throws {
        try await RunningServer.run { server in
            let tls = RawConnection.TLS(certificate: server.certificate, protocols: ["h2"])
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                try await connection.send(bytes: HTTP2Wire.preface)
                try await body(connection)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `as many frames as the limit says are borne, one more ends the connection`(kind: Kind) async throws {
        let limit = ListenerLimits().maximumFramesPerRequest
        try await withConnection { connection in
            try await connection.send(bytes: Self.request(1))
            _ = try await connection.frames(toEndOf: 1)
            // Two were the settings behind the preface and the request.
            try await connection.send(bytes: kind.frames(2 * limit - 2) + Self.request(3))
            let borne = try await connection.frames(toEndOf: 3)
            #expect(!borne.contains { $0.type == 7 })
            // One was the request.
            try await connection.send(bytes: kind.frames(limit))
            let frames = await connection.framesUntilClose()
            let goAway = try #require(frames.first { $0.type == 7 })
            // The last stream, and ENHANCE_YOUR_CALM.
            #expect(goAway.payload == [0, 0, 0, 3, 0, 0, 0, 11])
        }
    }

    @Test func `a client that sends several with each of many requests is served`() async throws {
        try await withConnection { connection in
            for stream in stride(from: UInt8(1), through: 125, by: 2) {
                let window = HTTP2Wire.frame(type: 8, flags: 0, stream: stream, [0, 0, 0, 1])
                let others = [Kind.connectionWindow, .connectionWindow, .connectionWindow, .ping, .priority]
                let bytes = others.reduce(Self.request(stream) + window + window + window) { $0 + $1.frames(1) }
                try await connection.send(bytes: bytes)
                let received = try await connection.frames(toEndOf: stream)
                #expect(!received.contains { $0.type == 7 })
            }
        }
    }
}
