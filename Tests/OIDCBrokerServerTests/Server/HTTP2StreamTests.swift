// SPDX-License-Identifier: Apache-2.0

import Admission
import OpenIDRelyingParty
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP2
@testable import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerNIO
import OpenIDConnect
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBrokerHTTP
@testable import OIDCBrokerServer

/// The standalone server's HTTP/2 streams, frame by frame.
@Suite struct HTTP2StreamTests {
    /// Answers everything below `/__/auth/`: by a redirect, or by a page with the method and the body.
    private final class Stub: BrokerResponder {
        let limits = BrokerLimits()
        let memory = MemoryBudget(bytes: 256 << 20)
        /// What `/__/auth/later` waits for.
        let later = Mutex<EventLoopPromise<BrokerResponse>?>(nil)

        func handles(path: String) -> Bool { path.utf8.starts(with: "/__/auth/".utf8) }

        func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
            switch request.path {
            case "/__/auth/page":
                return page("\(request.method) \(String(buffer: request.body))")
            case "/__/auth/long":
                return page(String(repeating: "x", count: 100_000))
            case "/__/auth/later":
                let promise = eventLoop.makePromise(of: BrokerResponse.self)
                later.withLock { $0 = promise }
                return .future(promise.futureResult)
            default:
                return .value(.seeOther("https://a.example/"))
            }
        }

        func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse {
            request.path == "/__/auth/form" ? .plain(status: response.head.status, "a page of the broker\n") : response
        }

        private func page(_ text: String) -> Eventual<BrokerResponse> {
            .value(BrokerResponse(head: HTTPResponse(status: .ok), body: ByteBuffer(string: text)))
        }
    }

    private let channel = EmbeddedChannel()
    private let stub = Stub()

    init() throws { try self.init(responder: nil) }

    /// - Parameter responder: What responds in place of the stub.
    private init(responder: (any BrokerResponder)?) throws {
        let logger = Logger(label: "test")
        let limits = ListenerLimits()
        let streams = HTTP2StreamsHandler(limits: limits, idle: nil)
        let bound = NIOLoopBound(streams, eventLoop: channel.eventLoop)
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: limits.http2Connection, streamConfiguration: limits.http2Stream
        ) { [stub] stream in
            stream.eventLoop.makeCompletedFuture {
                try ConnectionInitializer.configure(
                    stream: stream, of: bound.value, responder: responder ?? stub, limits: limits, logger: logger)
            }
        }
        try channel.pipeline.syncOperations.addHandler(streams)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        _ = try exchange(HTTP2Wire.preface)
    }

    /// Sends bytes; gives the frames that came back, but for window updates.
    private func exchange(_ bytes: [UInt8]) throws -> [HTTP2Wire.Frame] {
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        channel.embeddedEventLoop.run()
        var all: [UInt8] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += Array(buffer: bytes) }
        return HTTP2Wire.frames(all).filter { $0.type != 8 }
    }

    private func text(_ frames: [HTTP2Wire.Frame]) -> String {
        String(decoding: frames.filter { $0.type == 0 }.flatMap(\.payload), as: UTF8.self)
    }

    @Test func `a redirect is one frame`() throws {
        let frames = try exchange(HTTP2Wire.request(stream: 1, "GET", "/__/auth/start"))
        #expect(frames.map(\.type) == [1])
        // END_STREAM and END_HEADERS.
        #expect(frames.map(\.flags) == [5])
        // The next stream of the connection is served as well.
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.stream) == [3])
    }

    @Test func `a page is two`() throws {
        let frames = try exchange(HTTP2Wire.request(stream: 1, "GET", "/__/auth/page"))
        #expect(frames.map(\.type) == [1, 0])
        #expect(frames.map(\.flags) == [4, 1])
        #expect(text(frames) == "GET ")
    }

    @Test func `HEAD is answered by a head alone`() throws {
        let frames = try exchange(HTTP2Wire.request(stream: 1, "HEAD", "/__/auth/page"))
        #expect(frames.map(\.type) == [1])
        #expect(frames.map(\.flags) == [5])
    }

    @Test func `a body is read, with trailers or without`() throws {
        for (stream, trailers) in [(UInt8(1), false), (3, true)] {
            var bytes = HTTP2Wire.request(stream: stream, "POST", "/__/auth/page", endsStream: false)
            bytes += HTTP2Wire.data(stream: stream, "co", endsStream: false)
            bytes += HTTP2Wire.data(stream: stream, "de", endsStream: !trailers)
            if trailers { bytes += HTTP2Wire.headers(stream: stream, [("x-a", "1")]) }
            #expect(try text(exchange(bytes)) == "POST code")
        }
    }

    @Test func `a body beyond the limit is answered, and the stream reset without an error`() throws {
        let frames = try exchange(
            HTTP2Wire.request(
                stream: 1, "POST", "/__/auth/page", endsStream: false, [("content-length", "70000")]))
        #expect(frames.map(\.type) == [1, 0, 3])
        #expect(frames.map(\.flags) == [4, 1, 0])
        #expect(frames.last?.payload == [0, 0, 0, 0])
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    @Test(arguments: [("/__/auth/page", "The request is too large\n"), ("/__/auth/form", "a page of the broker\n")])
    func `so is one that does not say how long it is, with the broker's page if a provider sends it`(
        path: String, response: String
    ) throws {
        // The connection's window is 65,535 bytes; the server opens it as it reads.
        var frames = try exchange(HTTP2Wire.request(stream: 1, "POST", path, endsStream: false))
        for _ in 0..<4 {
            frames += try exchange(
                HTTP2Wire.data(stream: 1, String(repeating: "a", count: 16_384), endsStream: false))
        }
        #expect(frames.isEmpty)
        let refusal = try exchange(HTTP2Wire.data(stream: 1, "a", endsStream: false))
        #expect(refusal.map(\.type) == [1, 0, 3])
        #expect(text(refusal) == response)
    }

    @Test func `a form of a provider that is too long gets the page of the standalone server's broker`() throws {
        var provider = BrokerConfiguration.Provider.unreachable
        provider.configuration.responseMode = .formPost
        let broker = try Broker(
            configuration: .test(
                publicURL: try #require(PublicURL("https://localhost")), provider: provider,
                apps: [AppClient.publicApp.configuration]),
            transport: StubTransport(), logger: .quiet)
        let test = try HTTP2StreamTests(responder: StandaloneResponder(broker: broker))
        let frames = try test.exchange(
            HTTP2Wire.request(
                stream: 1, "POST", "/__/auth/handler", endsStream: false, [("content-length", "70000")]))
        #expect(frames.first?.type == 1 && frames.last?.type == 3)
        #expect(test.text(frames).hasPrefix("<!DOCTYPE html>"))
    }

    @Test func `too many fields are answered while the body still comes, and the stream reset`() throws {
        let fields = (0...ListenerLimits().maximumFields).map { ("x-\($0)", "1") }
        let frames = try exchange(HTTP2Wire.request(stream: 1, "POST", "/__/auth/page", endsStream: false, fields))
        #expect(frames.map(\.type) == [1, 3])
        #expect(frames.map(\.flags) == [5, 0])
        #expect(frames.last?.payload == [0, 0, 0, 0])
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    @Test func `a method that is not a token resets its stream, and no other`() throws {
        #expect(try exchange(HTTP2Wire.request(stream: 1, "GE(T", "/__/auth/page")).map(\.type) == [3])
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    @Test func `a page that is longer than the client's window waits for it`() throws {
        let first = try exchange(HTTP2Wire.request(stream: 1, "GET", "/__/auth/long"))
        #expect(text(first).utf8.count == 65_535)
        #expect(first.allSatisfy { $0.flags & 1 == 0 })
        // 65,536 bytes more, for the stream and for the connection.
        var more = HTTP2Wire.frame(type: 8, flags: 0, stream: 1, [0, 1, 0, 0])
        more += HTTP2Wire.frame(type: 8, flags: 0, stream: 0, [0, 1, 0, 0])
        let rest = try exchange(more)
        #expect(text(rest).utf8.count == 100_000 - 65_535)
        #expect(rest.last?.flags == 1)
    }

    @Test func `a stream that is reset while its response is made is forgotten`() throws {
        #expect(try exchange(HTTP2Wire.request(stream: 1, "GET", "/__/auth/later")).isEmpty)
        #expect(try exchange(HTTP2Wire.reset(stream: 1)).isEmpty)
        let promise = try #require(stub.later.withLock { $0 })
        promise.succeed(.seeOther("https://a.example/"))
        #expect(try exchange([]).isEmpty)
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    @Test func `an authority that is named twice is refused at once, also for HEAD`() throws {
        for (stream, method) in [(UInt8(1), "GET"), (3, "HEAD")] {
            let frames = try exchange(
                HTTP2Wire.request(stream: stream, method, "/__/auth/page", [("host", "other.test")]))
            #expect(frames.first?.type == 1)
            #expect(frames.last.map { $0.flags & 1 } == 1)
            #expect(text(frames) == (method == "HEAD" ? "" : "Bad request\n"))
        }
    }

    @Test func `a body that is not complete in time ends the stream`() throws {
        #expect(
            try exchange(HTTP2Wire.request(stream: 1, "POST", "/__/auth/page", endsStream: false)).map(\.type) == [])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
        #expect(try exchange([]).map(\.type) == [])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try exchange([]).map(\.type) == [1, 0, 3])
    }

    @Test func `a client that waits for 100 gets it`() throws {
        let bytes = HTTP2Wire.request(
            stream: 1, "POST", "/__/auth/page", endsStream: false, [("expect", "100-continue")])
        let interim = try exchange(bytes)
        #expect(interim.map(\.type) == [1])
        #expect(interim.map(\.flags) == [4])
        #expect(try text(exchange(HTTP2Wire.data(stream: 1, "x"))) == "POST x")
    }

    @Test func `one that has sent everything gets none`() throws {
        let frames = try exchange(
            HTTP2Wire.request(stream: 1, "GET", "/__/auth/page", [("expect", "100-continue")]))
        #expect(frames.map(\.type) == [1, 0])
    }

    @Test func `what is not the broker's is not there`() throws {
        let frames = try exchange(HTTP2Wire.request(stream: 1, "GET", "/other"))
        #expect(text(frames) == NotFound.text)
        #expect(frames.map(\.type) == [1, 0])
        #expect(frames.map(\.flags) == [4, 1])
        let head = try exchange(HTTP2Wire.request(stream: 3, "HEAD", "/other"))
        #expect(head.map(\.type) == [1])
        #expect(head.map(\.flags) == [5])
    }

    @Test func `what is not the broker's is answered at the head, and the stream reset without an error`() throws {
        let frames = try exchange(HTTP2Wire.request(stream: 1, "POST", "/other", endsStream: false))
        #expect(frames.map(\.type) == [1, 0, 3])
        #expect(frames.last?.payload == [0, 0, 0, 0])
        #expect(text(frames) == NotFound.text)
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    // MARK: What NIO does not validate any more

    /// As much as one frame and the list of fields take at first.
    private static let marks = String(repeating: "\u{345}\u{301}\u{316}", count: 2_500)

    @Test(arguments: [":method", ":scheme", ":authority", ":path", "te", "content-length", "\u{301}"])
    func `marks where there may be none reset their stream`(name: String) throws {
        let pseudo = [
            (":method", "GET"), (":scheme", "https"), (":authority", "broker.test"), (":path", "/__/auth/start"),
        ]
        let fields = pseudo.filter { $0.0 != name } + [(name, Self.marks)]
        // A pseudo-header field stands before the others, whichever it is.
        let frames = try exchange(HTTP2Wire.headers(stream: 1, fields))
        #expect(frames.map(\.type) == [3])
        #expect(frames.first?.payload == [0, 0, 0, 1])
        #expect(try exchange(HTTP2Wire.request(stream: 3, "GET", "/__/auth/start")).map(\.type) == [1])
    }

    @Test(arguments: [("a", true), ("abcd", true), ("abcd", false)])
    func `a body of another length than was said resets its stream`(body: String, endsStream: Bool) throws {
        var bytes = HTTP2Wire.request(
            stream: 1, "POST", "/__/auth/page", endsStream: false, [("content-length", "3")])
        bytes += HTTP2Wire.data(stream: 1, body, endsStream: endsStream)
        let frames = try exchange(bytes)
        #expect(frames.map(\.type) == [3])
        #expect(frames.first?.payload == [0, 0, 0, 1])
    }

    @Test func `trailers are fields, and none of them a pseudo-header field`() throws {
        for (stream, field) in [(UInt8(1), (":path", "/")), (3, ("connection", "close")), (5, ("X-A", "1"))] {
            var bytes = HTTP2Wire.request(stream: stream, "POST", "/__/auth/page", endsStream: false)
            bytes += HTTP2Wire.headers(stream: stream, [field])
            #expect(try exchange(bytes).map(\.type) == [3], "\(field)")
        }
    }

    @Test func `as many streams in error as the limit says are borne, one more ends the connection`() throws {
        let maximum = ListenerLimits().maximumStreamResets
        for number in 0..<maximum {
            _ = try exchange(HTTP2Wire.request(stream: UInt8(number * 2 + 1), "GE(T", "/__/auth/page"))
        }
        #expect(channel.isActive)
        _ = try exchange(HTTP2Wire.request(stream: UInt8(maximum * 2 + 1), "GE(T", "/__/auth/page"))
        #expect(!channel.isActive)
    }
}
