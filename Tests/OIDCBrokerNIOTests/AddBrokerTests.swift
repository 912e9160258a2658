// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import OIDCBroker
import OIDCBrokerNIO
import OpenIDRelyingParty
import Testing
import TestingSupport

/// The broker added by one line to each kind of pipeline that it serves.
@Suite struct AddBrokerTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func broker() throws -> Broker { try Broker.loopback(UnusedTransport()) }

    /// No provider is asked for anything here.
    private struct UnusedTransport: ProviderTransport {
        func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
            eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
        }
    }

    private static func respond(_ text: String, on channel: EmbeddedChannel) throws -> String {
        try channel.writeInbound(ByteBuffer(string: text))
        channel.embeddedEventLoop.run()
        var all = ""
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { all += String(buffer: bytes) }
        }
        return all
    }

    @Test(arguments: [false, true])
    func `an HTTP/1.1 connection, with parts of NIOHTTP1 and of HTTPTypes`(usesHTTPTypes: Bool) throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let (pipeline, log) = (channel.pipeline.syncOperations, Log())
        try pipeline.configureHTTPServerPipeline()
        if usesHTTPTypes { try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false)) }
        try pipeline.addBroker(try Self.broker(), logger: Self.logger)
        if usesHTTPTypes {
            try pipeline.addHandler(StreamApplication(log: log))
        } else {
            try pipeline.addHandler(Application(log: log))
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect(try Self.respond(Messages.get("/__/auth/jwks"), on: channel).contains("\"keys\":["))
        #expect(try Self.respond(Messages.get("/other"), on: channel).contains("app /other"))
    }

    @Test(arguments: [false, true])
    func `an HTTP/2 stream, with parts of NIOHTTP1 and of HTTPTypes`(usesHTTPTypes: Bool) throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let broker = try Self.broker()
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                if usesHTTPTypes {
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                } else {
                    try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                }
                try pipeline.addBroker(broker, logger: Self.logger)
            }
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(
            ByteBuffer(bytes: HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "GET", "/__/auth/jwks")))
        channel.embeddedEventLoop.run()
        var all: [UInt8] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += Array(buffer: bytes) }
        let content = HTTP2Wire.frames(all).filter { $0.type == 0 }.flatMap(\.payload)
        #expect(String(decoding: content, as: UTF8.self).contains("\"keys\":["))
    }

    @Test func `a pipeline without a known codec is refused`() throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let broker = try Self.broker()
        let error = #expect(throws: BrokerPipelineError.self) {
            try channel.pipeline.syncOperations.addBroker(broker, logger: Self.logger)
        }
        #expect(error == .codecNotFound)
        #expect(error?.description.contains("makeChannelHandler") == true)
    }

    @Test(arguments: [false, true])
    func `the field Date is added where no other handler does`(addsDate: Bool) throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
        try channel.pipeline.syncOperations.addBroker(try Self.broker(), logger: Self.logger, addsDate: addsDate)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for path in ["/__/auth/jwks", "/__/auth/nothing"] {
            let response = try Self.respond(Messages.get(path), on: channel).lowercased()
            #expect(response.split(separator: "\r\n").count { $0.hasPrefix("date: ") } == (addsDate ? 1 : 0))
        }
    }

    @Test(arguments: [HTTPPartKind.http1, .httpTypes])
    func `a framework gets a handler of its parts`(parts: HTTPPartKind) throws {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        if parts == .httpTypes { try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false)) }
        try pipeline.addHandler(try Self.broker().makeChannelHandler(parts: parts, logger: Self.logger))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect(try Self.respond(Messages.get("/__/auth/jwks"), on: channel).contains("\"keys\":["))
    }
}
