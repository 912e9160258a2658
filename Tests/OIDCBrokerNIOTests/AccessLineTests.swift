// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerNIO
@testable import OIDCBrokerPages

/// The line about each of the broker's requests.
struct AccessLineTests {
    private let access = MetadataRecorder()

    private func channel(_ stub: StubResponder, isLogged: Bool = true) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(
            BrokerChannelHandler<HTTP1Parts>(
                responder: stub, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                clientAddressing: .peer, accessLogger: isLogged ? access.logger : nil))
        let client = try SocketAddress(ipAddress: "192.0.2.9", port: 4000)
        channel.remoteAddress = client
        try channel.connect(to: client).wait()
        return channel
    }

    private func send(_ text: String, _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: text))
        channel.embeddedEventLoop.run()
    }

    private static func get(_ target: String, _ method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: auth.example.com\r\nCookie: secret-cookie\r\n\r\n"
    }

    @Test func `says what was answered and how long it took, and nothing of what was sent`() throws {
        var response = BrokerResponse.plain(status: .ok, "twelve bytes")
        response.outcome = "signed_in"
        response.reference = PageReference(loginID: [1])
        let stub = StubResponder(answersLater: true, response: response)
        let channel = try self.channel(stub)
        try send(Self.get("/__/auth/handler?code=secret-code"), channel)
        #expect(access.lines.isEmpty)
        channel.embeddedEventLoop.advanceTime(by: .microseconds(12_345))
        stub.answer(response)
        channel.embeddedEventLoop.run()
        let line = try #require(access.lines.first)
        #expect(access.lines.count == 1)
        #expect(
            line == [
                "address": "192.0.2.9", "method": "GET", "path": "other", "status": "200", "bytes": "12",
                "milliseconds": "12.345", "version": "1.1", "auth.outcome": "signed_in",
                "auth.reference": PageReference(loginID: [1]).description,
            ])
        #expect(!"\(access.lines)".contains("secret"))
        _ = try channel.finish()
    }

    @Test func `a response to HEAD has no bytes, and a refused request has a line`() throws {
        let channel = try self.channel(StubResponder())
        try send(Self.get("/__/auth/jwks", "HEAD"), channel)
        try send("POST /__/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", channel)
        #expect(access.lines.map { $0["status"] } == ["200", "413"])
        #expect(access.lines.map { $0["method"] } == ["HEAD", "POST"])
        #expect(access.lines.first?["bytes"] == "0")
        _ = try? channel.finish()
    }

    @Test func `without a logger there is none, and requests of others have none`() throws {
        let silent = try self.channel(StubResponder(), isLogged: false)
        try send(Self.get("/__/auth/jwks"), silent)
        let channel = try self.channel(StubResponder())
        try send(Self.get("/elsewhere"), channel)
        #expect(access.lines.isEmpty)
        _ = try? silent.finish()
        _ = try? channel.finish()
    }
}
