// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestingSupport

@testable import AccountsClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exchanges over a real socket.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct URLSessionExchangeTests {
    private static func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("{}".utf8)
        return request
    }

    private static func response(_ body: String, status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func chunked(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
    }

    @Test(arguments: ["200 OK", "400 Bad Request", "503 Service Unavailable"])
    func `status and body`(status: String) async throws {
        try await CannedServer.run(Self.response(#"{"a":1}"#, status: status)) { server in
            let exchange = URLSessionExchange(configuration: .ephemeral)
            let response = try await exchange.response(to: Self.request(server.url))
            #expect(status.hasPrefix("\(response.status) "))
            #expect(response.body == Data(#"{"a":1}"#.utf8))
        }
    }

    @Test func `an empty body`() async throws {
        try await CannedServer.run(Self.response("", status: "503 Service Unavailable")) { server in
            let exchange = URLSessionExchange(configuration: .ephemeral)
            let response = try await exchange.response(to: Self.request(server.url))
            #expect(response.status == 503 && response.body.isEmpty)
        }
    }

    @Test(arguments: ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent"])
    func `a redirect is not followed`(status: String) async throws {
        let redirect = "HTTP/1.1 \(status)\r\nLocation: /other\r\ncontent-length: 0\r\n\r\n"
        try await CannedServer.run(redirect) { server in
            let exchange = URLSessionExchange(configuration: .ephemeral)
            let response = try await exchange.response(to: Self.request(server.url))
            #expect(status.hasPrefix("\(response.status) "))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a redirect to nowhere is a response too`() async throws {
        try await CannedServer.run("HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n") { server in
            let exchange = URLSessionExchange(configuration: .ephemeral)
            let status = try await exchange.response(to: Self.request(server.url)).status
            #expect(status == 302)
        }
    }

    @Test(arguments: [false, true]) func `a body of 1 MiB is taken, a longer one is not`(isChunked: Bool) async throws {
        for (length, isTaken) in [(WireResponse.maximumBytes, true), (WireResponse.maximumBytes + 1, false)] {
            let body = String(repeating: "x", count: length)
            try await CannedServer.run(isChunked ? Self.chunked(body) : Self.response(body)) { server in
                let exchange = URLSessionExchange(configuration: .ephemeral)
                if isTaken {
                    let response = try await exchange.response(to: Self.request(server.url))
                    #expect(response.body.count == length)
                } else {
                    await #expect(throws: ResponseTooLong.self) {
                        try await exchange.response(to: Self.request(server.url))
                    }
                }
            }
        }
    }

    @Test func `what is too long is no response of the server`() async throws {
        try await CannedServer.run(Self.response(String(repeating: "x", count: 2 << 20))) { server in
            let client = try AccountClient(
                server: server.url, apiKey: StubbedClient.apiKey, storage: InMemorySessionStorage())
            #expect(
                try await code { try await client.signIn(with: StubbedClient.credential) } == .unexpectedResponse)
        }
    }

    @Test func `there is no listener`() async throws {
        let client = try AccountClient(
            server: try #require(URL(string: "http://127.0.0.1:1")), apiKey: StubbedClient.apiKey,
            storage: InMemorySessionStorage())
        #expect(try await code { try await client.signIn(with: StubbedClient.credential) } == .networkUnavailable)
    }

    @Test func `an exchange that takes too long has no response`() async throws {
        try await CannedServer.run("") { server in
            // The time is up at once.
            let exchange = URLSessionExchange(configuration: .ephemeral, timeLimit: {})
            let error = await #expect(throws: URLError.self) {
                try await exchange.response(to: Self.request(server.url))
            }
            #expect(error?.code == .timedOut)
        }
    }

    @Test func `the configuration of an app keeps nothing and gives up in time, and stays as it was`() {
        let given = URLSessionConfiguration.default
        given.httpMaximumConnectionsPerHost = 3
        let resourceLimit = given.timeoutIntervalForResource
        let adapted = URLSessionExchange.adapted(given)
        #expect(adapted.timeoutIntervalForResource == 30)
        #expect(adapted.httpCookieStorage == nil && adapted.urlCache == nil && adapted.urlCredentialStorage == nil)
        #expect(!adapted.httpShouldSetCookies && adapted.httpCookieAcceptPolicy == .never)
        #expect(adapted.httpMaximumConnectionsPerHost == 3)
        #expect(given.timeoutIntervalForResource == resourceLimit && resourceLimit != 30)
        #expect(given.httpCookieStorage != nil && given.httpShouldSetCookies)
    }

    @Test func `no cookie is sent, neither of the app nor of the server`() async throws {
        let response = "HTTP/1.1 200 OK\r\nset-cookie: b=2; Path=/\r\ncontent-length: 2\r\n\r\n{}"
        try await CannedServer.run(response) { server in
            let configuration = URLSessionConfiguration.ephemeral
            let cookie = try #require(
                HTTPCookie(properties: [.name: "a", .value: "1", .domain: "127.0.0.1", .path: "/"]))
            configuration.httpCookieStorage?.setCookie(cookie)
            let exchange = URLSessionExchange(configuration: configuration)
            for _ in 0..<2 { _ = try await exchange.response(to: Self.request(server.url)) }
            #expect(server.requests.count == 2 && server.requests.cookieCount == 0)
            #expect(configuration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
        }
    }

    @Test func `a task that is canceled waits no longer`() async throws {
        try await CannedServer.run("") { server in
            let client = try AccountClient(
                server: server.url, apiKey: StubbedClient.apiKey, storage: InMemorySessionStorage())
            let signIn = Task { try await client.signIn(with: StubbedClient.credential) }
            while server.requests.count == 0 { await Task.yield() }
            signIn.cancel()
            await #expect(throws: CancellationError.self) { try await signIn.value }
            #expect(try await client.currentUser == nil)
        }
    }
}
