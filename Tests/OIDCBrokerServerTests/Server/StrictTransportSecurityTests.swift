// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// `Strict-Transport-Security` (RFC 6797) in every response over https.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct StrictTransportSecurityTests {
    private static let host = "auth.example.com"
    private static let year = "max-age=31536000"

    /// A server whose public URL is https and not on this machine.
    private static func options(isSecure: Bool, maximumAge: Duration? = nil) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        options.configureServer = { configuration, _ in
            if let maximumAge { configuration.strictTransportSecurity = maximumAge }
        }
        options.configuration = { publicURL in
            // Keys are made for a loopback URL alone.
            var configuration = BrokerConfiguration.test(
                publicURL: publicURL, apps: [AppClient.publicApp.configuration])
            if let url = PublicURL("https://\(host)") { configuration.publicURL = url }
            return configuration
        }
        return options
    }

    private func withConnection(
        _ options: RunningServer.Options, _ body: (RawConnection, RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(options) { server in
            let tls = server.publicURL.isSecure ? RawConnection.TLS(certificate: server.certificate) : nil
            try await RawConnection.open(port: server.port, tls: tls) { try await body($0, server) }
        }
    }

    @Test(
        arguments: [true, false],
        [
            ("GET /__/auth/jwks HTTP/1.1", ["Host: auth.example.com"], 200),
            ("GET /__/auth/nothing HTTP/1.1", ["Host: auth.example.com"], 404),
            ("GET /elsewhere HTTP/1.1", ["Host: auth.example.com"], 404),
            ("POST /elsewhere HTTP/1.1", ["Host: auth.example.com", "Content-Length: 5"], 404),
            ("GET /__/auth/jwks HTTP/1.1", ["Host: evil.example"], 421),
            ("GET /__/auth/jwks HTTP/1.1", [], 400),
            ("POST /__/auth/token HTTP/1.1", ["Host: auth.example.com", "Content-Length: 65537"], 413),
            ("DELETE /__/auth/token HTTP/1.1", ["Host: auth.example.com"], 405), ("what is this", [], 400),
        ] as [(String, [String], Int)])
    func `on HTTP/1.1, also where a proxy terminates TLS`(
        isSecure: Bool, request: (String, [String], Int)
    ) async throws {
        try await withConnection(Self.options(isSecure: isSecure)) { connection, _ in
            try await connection.send(Request.head(request.0, request.1))
            let response = try await connection.response()
            #expect(response.status == request.2)
            #expect(response.fields.filter { $0.name == "strict-transport-security" }.map(\.value) == [Self.year])
            // RFC 9110 section 6.6.1.
            let dates = response.fields.filter { $0.name == "date" }.map(\.value)
            #expect(dates.count == 1)
            let seconds = try #require(dates.first.flatMap { HTTPDate.seconds($0) })
            #expect(abs(seconds - SystemUnixClock().now()) <= 60)
        }
    }

    @Test func `an interim response has none, and HEAD has it`() async throws {
        try await withConnection(Self.options(isSecure: false)) { connection, _ in
            let host = "Host: \(Self.host)"
            try await connection.send(Request.head("HEAD /__/auth/jwks HTTP/1.1", [host]))
            #expect(try await connection.response(toHEAD: true)["strict-transport-security"] == Self.year)
            try await connection.send(
                Request.head("POST /__/auth/token HTTP/1.1", [host, "Content-Length: 3", "Expect: 100-continue"]))
            let interim = try await connection.response()
            #expect(interim.status == 100)
            #expect(interim["strict-transport-security"] == nil)
            #expect(interim["date"] == nil)
        }
    }

    @Test func `on HTTP/2`() async throws {
        let http = try HTTPBrowser.makeHTTPClient(
            trusting: try TestCertificate.shared().certificatePEM, version: .automatic)
        try await attempt {
            try await RunningServer.run(Self.options(isSecure: true)) { server in
                let client = HTTPBrowser(http)
                for (path, status) in [("/__/auth/jwks", 421), ("/elsewhere", 404)] {
                    let page = try await client.open(server.publicURL.origin + path)
                    #expect(page.version == .http2)
                    #expect(page.status == status)
                    #expect(page.headers["strict-transport-security"] == [Self.year])
                    #expect(page.headers["date"].count == 1)
                }
            }
        } finally: {
            try await http.shutdown()
        }
    }

    @Test(arguments: [true, false]) func `on loopback there is none`(isSecure: Bool) async throws {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        try await withConnection(options) { connection, server in
            for target in ["/__/auth/jwks", "/elsewhere"] {
                try await connection.send(Request.get(target, server))
                #expect(try await connection.response()["strict-transport-security"] == nil)
            }
        }
    }

    @Test func `0 makes browsers forget it, and a reload holds for the next connection`() async throws {
        try await withConnection(Self.options(isSecure: false, maximumAge: .zero)) { connection, server in
            let request = Request.head("GET /elsewhere HTTP/1.1", ["Host: \(Self.host)"])
            try await connection.send(request)
            #expect(try await connection.response()["strict-transport-security"] == "max-age=0")
            var next = server.server.live.current
            next.strictTransportSecurity = .seconds(60)
            try server.server.reload(next)
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(request)
                #expect(try await connection.response()["strict-transport-security"] == "max-age=60")
            }
        }
    }

    @Test(
        arguments: [
            ("https://auth.example.com", true), ("https://auth.example.com:8443", true), ("https://localhost", false),
            ("https://127.0.0.1", false), ("https://[::1]:8443", false), ("http://localhost:8080", false),
        ])
    func `applies to a public URL that is https and not on this machine`(url: String, applies: Bool) throws {
        let publicURL = try #require(PublicURL(url))
        #expect(StrictTransportSecurity.applies(to: publicURL) == applies)
    }

    @Test func `has a form for each version`() {
        let field = StrictTransportSecurity(maximumAge: .seconds(60))
        #expect(String(buffer: field.line) == "Strict-Transport-Security: max-age=60\r\n")
        var headers = HPACKHeaders(HTTPResponse(status: .ok))
        field.add(to: &headers)
        #expect(headers["strict-transport-security"] == ["max-age=60"])
    }

    @Test func `an HTTP/2 stream writes it in whatever response, but not in an interim one`() throws {
        let limits = ListenerLimits()
        for fieldCount in [0, limits.maximumFields + 1] {
            let channel = EmbeddedChannel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            try channel.pipeline.syncOperations.addHandler(
                HTTP2StreamHandler(
                    limits: limits, streams: HTTP2StreamsHandler(limits: limits, idle: nil),
                    strictTransportSecurity: StrictTransportSecurity(maximumAge: .seconds(60))))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            var fields: HPACKHeaders = [":method": "GET", ":scheme": "https", ":authority": "a", ":path": "/"]
            for _ in 0..<fieldCount { fields.add(name: "a", value: "b") }
            try channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: true)))
            if fieldCount == 0 {
                try channel.writeOutbound(ServerResponsePart.head(HTTPResponse(status: .continue)))
                try channel.writeOutbound(ServerResponsePart.whole(HTTPResponse(status: .notFound), body: nil))
            }
            var written: [String] = []
            while let frame = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) {
                guard case .headers(let block) = frame else { continue }
                written += block.headers[":status"] + block.headers["strict-transport-security"]
            }
            #expect(written == (fieldCount == 0 ? ["100", "404", "max-age=60"] : ["431", "max-age=60"]))
        }
    }
}
