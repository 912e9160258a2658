// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import Testing
import TestingSupport

/// The server as curl sees it, over HTTP/1.1 and HTTP/2.
@Suite(.enabled(if: CurlCommand.mustRun, "needs curl"), .onSockets, .timeLimit(.minutes(10))) struct CurlTests {
    private static let discovery = "/__/auth/.well-known/openid-configuration"

    @Test(arguments: CurlCommand.Version.allCases)
    func `the discovery document, in the version that ALPN chose`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            let response = try await CurlCommand.run(Self.discovery, version, at: server)
            #expect(response.exitStatus == 0)
            #expect(response.status == 200)
            #expect(response.version == version.number)
            #expect(response["content-type"] == "application/json")
            #expect(response["content-length"] == "\(response.body.count)")
            let document = try JSONParser.object(response.body, limits: JSONLimits(maximumBytes: 65_536))
            #expect(document["issuer"]?.text?.makeString() == server.issuer)
            #expect(document["token_endpoint"]?.text?.makeString() == server.issuer + "/token")
        }
    }

    @Test func `HTTP/1.1 without ALPN`() async throws {
        try await RunningServer.run { server in
            let response = try await CurlCommand.run(Self.discovery, .http2, ["--no-alpn"], at: server)
            #expect(response.status == 200)
            #expect(response.version == "1.1")
        }
    }

    @Test(arguments: CurlCommand.Version.allCases)
    func `HEAD has the length and no body`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            let whole = try await CurlCommand.run(Self.discovery, version, at: server)
            let head = try await CurlCommand.run(Self.discovery, version, ["--head"], at: server)
            #expect(head.exitStatus == 0)
            #expect(head.status == 200)
            #expect(head["content-length"] == "\(whole.body.count)")
            let missing = try await CurlCommand.run("/elsewhere", version, ["--head"], at: server)
            #expect(missing.exitStatus == 0)
            #expect(missing.status == 404)
        }
    }

    @Test(arguments: CurlCommand.Version.allCases)
    func `404 elsewhere, whatever a path may be decoded or cleaned to`(version: CurlCommand.Version) async throws {
        let paths = [
            "//", "/index.html", "/__/auth", "/__/authx/jwks", "//__/auth/jwks", "/%5F%5F/auth/jwks", "/__/./auth/jwks",
            "/x/../__/auth/jwks", "/__/auth/nothing", "/__/auth/jwks/",
        ]
        try await RunningServer.run { server in
            for path in paths {
                let response = try await CurlCommand.run(path, version, at: server)
                #expect(response.status == 404, "\(path)")
            }
            #expect(try await CurlCommand.run("/__/auth/jwks?x=1", version, at: server).status == 200)
        }
    }

    @Test(arguments: CurlCommand.Version.allCases)
    func `the root says what the server is, to a GET and a HEAD`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            for target in ["/", "/?utm_source=x"] {
                let page = try await CurlCommand.run(target, version, at: server)
                #expect(page.status == 200)
                #expect(page["content-type"] == "text/html; charset=utf-8")
                #expect(page["content-security-policy"]?.contains("form-action 'none'") == true)
                let text = String(decoding: page.body, as: UTF8.self)
                #expect(text.contains("<h1 id=\"about\">This is a sign-in server</h1>"))
                // Nothing of the configuration, and nothing that was sent.
                #expect(!text.contains(AppClient.publicApp.configuration.clientID))
                #expect(!text.contains("utm_source"))
                let head = try await CurlCommand.run(target, version, ["--head"], at: server)
                #expect(head.status == 200)
                #expect(head["content-length"] == "\(page.body.count)")
            }
            let german = try await CurlCommand.run("/", version, ["--header", "Accept-Language: de"], at: server)
            #expect(String(decoding: german.body, as: UTF8.self).contains("Dies ist ein Anmeldeserver"))
            let posted = try await CurlCommand.run("/", version, ["--data", "a=b"], at: server)
            #expect(posted.status == 405)
            #expect(posted["allow"] == "GET, HEAD")
            let elsewhere = try await CurlCommand.run("/", version, ["--header", "Host: evil.example"], at: server)
            #expect(elsewhere.status == 421)
        }
    }

    @Test(.attack(.spoofedHost), arguments: CurlCommand.Version.allCases)
    func `421 for another authority`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            let url = "https://127.0.0.1:\(server.port)/__/auth/jwks"
            let byAddress = try await CurlCommand.run(url, version, at: server)
            #expect(byAddress.exitStatus == 0)
            #expect(byAddress.status == 421)
            for host in ["evil.example", "localhost", "localhost:1", "localhost:\(server.port).evil.example"] {
                let response = try await CurlCommand.run(
                    "/__/auth/jwks", version, ["--header", "Host: \(host)"], at: server)
                #expect(response.status == 421, "\(host)")
                #expect(!(response.head + String(decoding: response.body, as: UTF8.self)).contains("evil"))
            }
            let spelled = try await CurlCommand.run(
                "/__/auth/jwks", version, ["--header", "Host: LOCALHOST:\(server.port)"], at: server)
            #expect(spelled.status == 200)
        }
    }

    @Test(.attack(.oversizedForm), arguments: CurlCommand.Version.allCases)
    func `a form of 65,536 bytes is read, one of 65,537 is not`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            for (count, status) in [(65_536, 401), (65_537, 413), (300_000, 413)] {
                let file = try server.directory.write(
                    "form", Array("a=".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: count - 2))
                let response = try await CurlCommand.run(
                    "/__/auth/token", version, ["--data-binary", "@\(file)"], at: server)
                #expect(response.status == status, "\(count)")
                let chunked = try await CurlCommand.run(
                    "/__/auth/token", version,
                    ["--data-binary", "@\(file)", "--header", "Content-Length:"]
                        + (version == .http1 ? ["--header", "Transfer-Encoding: chunked"] : []), at: server)
                #expect(chunked.status == status, "\(count) without a length")
            }
        }
    }

    @Test(arguments: CurlCommand.Version.allCases)
    func `header fields up to the limits`(version: CurlCommand.Version) async throws {
        // Nothing but Host, which on HTTP/2 is not a field.
        let none = ["--header", "User-Agent:", "--header", "Accept:"]
        let free = version == .http1 ? 99 : 100
        func fields(_ count: Int) -> [String] { (0..<count).flatMap { ["--header", "X-\($0): 1"] } }
        func long(_ bytes: Int) -> [String] { ["--header", "X-Long: " + String(repeating: "x", count: bytes)] }
        let refused: Set = [400, 431]
        try await RunningServer.run { server in
            func status(_ arguments: [String]) async throws -> Int {
                try await CurlCommand.run("/__/auth/jwks", version, none + arguments, at: server).status
            }
            do {
                let value = try await status(fields(free))
                #expect(value == 200)
            }
            do {
                let value = try await status(fields(free + 1))
                #expect(refused.contains(value))
            }
            do {
                let value = try await status(long(16_000))
                #expect(value == 200)
            }
            do {
                // On HTTP/2 NIO closes a connection whose first head is over 16 KB in all: curl sees no status then.
                let value = try await status(long(17 * 1024))
                #expect(refused.union(version == .http2 ? [0] : []).contains(value))
            }
        }
    }

    @Test func `several long fields are too much together`() async throws {
        try await RunningServer.run { server in
            let field = String(repeating: "x", count: 12_000)
            let arguments = ["A", "B", "C"].flatMap { ["--header", "X-\($0): \(field)"] }
            let first = try await CurlCommand.run("/__/auth/jwks", .http1, arguments, at: server)
            #expect(first.status == 400)
            // HTTP/2 has no status for it: the stream or the connection ends.
            let second = try await CurlCommand.run("/__/auth/jwks", .http2, arguments, at: server)
            #expect(second.status != 200)
        }
    }

    @Test(arguments: CurlCommand.Version.allCases)
    func `a start that leads nowhere is a page, or 405`(version: CurlCommand.Version) async throws {
        try await RunningServer.run { server in
            let url = AppClient.publicApp.authorizationURL(issuer: server.issuer, AppClient.Attempt())
            let evil = url.replacing("shop.example", with: "evil.example")
            let page = try await CurlCommand.run(evil, version, at: server)
            #expect(page.status == 400)
            #expect(page["location"] == nil)
            #expect(page["set-cookie"] == nil)
            #expect(page["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(page["permissions-policy"] != nil)
            let put = try await CurlCommand.run(url, version, ["--request", "PUT", "--data", "a=b"], at: server)
            #expect(put.status == 405)
            #expect(put["allow"] == "GET, POST")
        }
    }
}
