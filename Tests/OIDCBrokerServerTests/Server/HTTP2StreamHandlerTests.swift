// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerServer

@Suite struct HTTP2StreamHandlerTests {
    /// Notes which parts and errors come through.
    private final class Probe: ChannelInboundHandler {
        typealias InboundIn = HTTP2RequestPart
        var parts: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                parts.append("head \(head.method) \(head.path ?? "-")" + (head.endsStream ? "" : " ..."))
            case .body(let bytes): parts.append("body \(String(buffer: bytes))")
            case .end: parts.append("end")
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            parts.append("error \(error)")
        }
    }

    /// A broker whose response to a refused request has its origin and path.
    private struct Reader: BrokerResponder {
        let limits = BrokerLimits()
        let memory = MemoryBudget(bytes: 256 << 20)

        func handles(path: String) -> Bool { true }

        func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
            .value(.plain(status: .ok, ""))
        }

        func refusal(_ response: BrokerResponse, of request: BrokerRequest) -> BrokerResponse {
            var response = response
            response.head.headerFields[.accessControlAllowOrigin] = request.headerFields[.origin]
            response.head.headerFields[.contentLocation] = request.path
            return response
        }
    }

    private static let pseudo: [(String, String)] = [
        (":method", "GET"), (":scheme", "https"), (":authority", "auth.example.com"), (":path", "/"),
    ]

    private let channel: EmbeddedChannel
    private let probe = Probe()
    private let limits = ListenerLimits()

    init() throws {
        try self.init(responder: nil)
    }

    private init(responder: (any BrokerResponder)?) throws {
        channel = EmbeddedChannel()
        let streams = HTTP2StreamsHandler(limits: limits, idle: nil)
        try channel.pipeline.syncOperations.addHandlers([
            HTTP2StreamHandler(limits: limits, streams: streams, responder: responder), probe,
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func receive(_ fields: [(String, String)], endsStream: Bool = true) throws {
        let block = HTTP2Frame.FramePayload.Headers(headers: HPACKHeaders(fields), endStream: endsStream)
        try channel.writeInbound(HTTP2Frame.FramePayload.headers(block))
        channel.embeddedEventLoop.run()
    }

    private func receive(body: String, endsStream: Bool) throws {
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(string: body)), endStream: endsStream)
        try channel.writeInbound(HTTP2Frame.FramePayload.data(data))
    }

    private func write(_ part: ServerResponsePart) throws {
        try channel.writeOutbound(part)
    }

    /// What was written since: a line for each frame.
    private func frames() throws -> [String] {
        var lines: [String] = []
        while let frame = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) {
            switch frame {
            case .headers(let block):
                let fields = block.headers.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
                lines.append("headers \(fields)" + (block.endStream ? " END" : ""))
            case .data(let content):
                guard case .byteBuffer(let bytes) = content.data else { continue }
                lines.append("data \(String(buffer: bytes))" + (content.endStream ? " END" : ""))
            case .rstStream(let code):
                lines.append("reset \(code.networkCode)")
            default:
                lines.append("other")
            }
        }
        return lines
    }

    // MARK: Requests

    @Test func `a request without a body is a head and an end`() throws {
        try receive(Self.pseudo)
        #expect(probe.parts == ["head GET /", "end"])
    }

    @Test func `a body comes as it is, the end once, with data, behind them or with trailers`() throws {
        for end in 0..<3 {
            let test = try HTTP2StreamHandlerTests()
            try test.receive(Self.pseudo, endsStream: false)
            try test.receive(body: "ab", endsStream: false)
            switch end {
            case 0: try test.receive(body: "c", endsStream: true)
            case 1:
                try test.receive(body: "c", endsStream: false)
                try test.receive(body: "", endsStream: true)
            default:
                try test.receive(body: "c", endsStream: false)
                try test.receive([("x-checksum", "1")])
            }
            #expect(test.probe.parts == ["head GET / ...", "body ab", "body c", "end"], "\(end)")
        }
    }

    @Test func `frames that are not part of a request are not passed on`() throws {
        try receive(Self.pseudo, endsStream: false)
        try channel.writeInbound(HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: 1))
        try channel.writeInbound(HTTP2Frame.FramePayload.priority(.init(exclusive: false, dependency: 0, weight: 1)))
        #expect(probe.parts == ["head GET / ..."])
    }

    @Test func `a block that is not a head is an error, and nothing after it is read`() throws {
        try receive(Self.pseudo + [(":path", "/")], endsStream: false)
        try receive(body: "a", endsStream: true)
        #expect(probe.parts == ["error duplicate"])
        #expect(try frames() == ["reset 1"])
    }

    // MARK: Limits

    @Test func `as many fields as the limit says are read, one more is refused`() throws {
        let fields = (0..<limits.maximumFields).map { ("x-\($0)", "1") }
        try receive(Self.pseudo + fields)
        #expect(probe.parts == ["head GET /", "end"])

        let beyond = try HTTP2StreamHandlerTests()
        try beyond.receive(Self.pseudo + fields + [("x-more", "1")])
        #expect(try beyond.isRefused())
    }

    @Test(arguments: ["x-long", ":path"])
    func `a field as long as the limit says is read, one byte more is refused`(name: String) throws {
        // The name counts too, but for the path, which stands in the request line on HTTP/1.
        let free = limits.maximumFieldBytes - (name == ":path" ? 0 : name.utf8.count)
        for excess in [0, 1] {
            let test = try HTTP2StreamHandlerTests()
            let value = "/" + String(repeating: "x", count: free - 1 + excess)
            try test.receive(Self.pseudo.filter { $0.0 != name } + [(name, value)])
            if excess == 0 {
                #expect(test.probe.parts.count == 2)
            } else {
                #expect(try test.isRefused())
            }
        }
    }

    /// Whether the one request got 431 and nothing else.
    private func isRefused() throws -> Bool {
        try frames() == ["headers :status=431 content-length=0 END"] && probe.parts.isEmpty
    }

    @Test func `the broker says which pages may read that a request is refused`() throws {
        let test = try HTTP2StreamHandlerTests(responder: Reader())
        let fields = (0...limits.maximumFields).map { ("x-\($0)", "1") }
        try test.receive(Self.pseudo + fields + [("origin", "https://shop.example")])
        let response =
            "headers :status=431 content-length=0 access-control-allow-origin=https://shop.example content-location=/ END"
        #expect(try test.frames() == [response])
        #expect(test.probe.parts.isEmpty)
    }

    @Test func `nothing of a refused request is read, and its client told to stop`() throws {
        let fields = (0...limits.maximumFields).map { ("x-\($0)", "1") }
        try receive(Self.pseudo + fields, endsStream: false)
        try receive(body: "a", endsStream: true)
        #expect(probe.parts.isEmpty)
        #expect(try frames() == ["headers :status=431 content-length=0 END", "reset 0"])
    }

    // MARK: Responses

    @Test func `a response without a body is one frame, which ends the stream`() throws {
        try write(.whole(HTTPResponse(status: .seeOther, headerFields: [.location: "https://a.example/"]), body: nil))
        #expect(try frames() == ["headers :status=303 location=https://a.example/ END"])
    }

    @Test func `a body is the second frame, which ends the stream`() throws {
        try write(
            .whole(HTTPResponse(status: .ok, headerFields: [.contentLength: "2"]), body: ByteBuffer(string: "ok")))
        #expect(try frames() == ["headers :status=200 content-length=2", "data ok END"])
    }

    @Test func `parts that are written one by one are frames one by one`() throws {
        try write(.head(HTTPResponse(status: .continue)))
        try write(.head(HTTPResponse(status: .ok)))
        try write(.body(ByteBuffer(string: "ok")))
        try write(.end)
        #expect(try frames() == ["headers :status=100", "headers :status=200", "data ok", "data  END"])
    }

    @Test func `a response's write is done when its last frame is`() throws {
        let done = channel.eventLoop.makePromise(of: Void.self)
        channel.write(
            ServerResponsePart.whole(HTTPResponse(status: .ok), body: ByteBuffer(string: "ok")), promise: done)
        channel.flush()
        try done.futureResult.wait()
        #expect(try frames().count == 2)
    }

    @Test func `fields are indexed as they ask to be`() throws {
        var fields = HTTPFields()
        for (name, strategy): (String, HTTPField.DynamicTableIndexingStrategy) in [
            ("x-a", .automatic), ("x-b", .prefer), ("x-c", .avoid), ("x-d", .disallow),
        ] {
            var field = HTTPField(name: try #require(HTTPField.Name(name)), value: "1")
            field.indexingStrategy = strategy
            fields.append(field)
        }
        let headers = HPACKHeaders(HTTPResponse(status: .ok, headerFields: fields))
        #expect(headers.map(\.indexable) == [.indexable, .indexable, .indexable, .nonIndexable, .neverIndexed])
    }

    @Test func `a reset is sent with its code`() throws {
        try channel.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError)).wait()
        #expect(try frames() == ["reset 0"])
    }
}
