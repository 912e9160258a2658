// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import MetricsTestKit
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerTesting
import Testing
import TestingSupport

/// Each example server, as a browser sees it over both versions of HTTP.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ExampleServerTests {
    private static let versions: [HTTPClient.Configuration.HTTPVersion] = [.http1Only, .automatic]

    @Test(arguments: Example.allCases, versions)
    func `a user signs in, and the server's own route greets them`(
        _ example: Example, _ version: HTTPClient.Configuration.HTTPVersion
    ) async throws {
        try await RunningExample.run(example, over: version) { running in
            let visitor = running.visitor()
            let stranger = try #require(try await visitor.visit(running.origin + "/").last)
            #expect(stranger.status == 200)
            #expect(stranger.body.hasPrefix("Hello, world!"))

            let pages = try await visitor.visit(running.issuer + "/login/site?to=/")
            let end = try #require(pages.last)
            #expect(end.url == running.origin + "/")
            #expect(end.body == "Hello, \(RunningExample.person.name)!\n")
            // To the provider, to the callback, and home.
            #expect(pages.map(\.status) == [303, 303, 303, 200], "\(pages.map(\.url))")

            let own = [stranger] + pages.filter { $0.url.hasPrefix(running.origin + "/") }
            #expect(own.count == 4)
            #expect(own.allSatisfy { $0.version.major == (version == .http1Only ? 1 : 2) })

            // What the server handed to the broker is what the broker used.
            let events = running.audit.events.filter { $0.kind == "start" || $0.kind == "callback" }
            #expect(events.map(\.kind) == ["start", "callback"])
            #expect(events.allSatisfy { $0.client == "127.0.0.1" })
            #expect(running.metrics.counterTotal(label: "auth_callbacks") == 1)
            #expect(running.metrics.counterTotal(label: "auth_reloads") == 1)
            #expect(running.provider.violations().isEmpty)
        }
    }

    @Test(arguments: Example.allCases, versions)
    func `one address that asks too often is refused, and the server's own route is not`(
        _ example: Example, _ version: HTTPClient.Configuration.HTTPVersion
    ) async throws {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 4)
        try await RunningExample.run(example, over: version, limits: limits) { running in
            let visitor = running.visitor()
            var refused: HTTPBrowser.Page?
            // One more a second is allowed, and a machine with much to do is slow; it is not that slow.
            for _ in 0..<200 where refused == nil {
                let page = try await visitor.send(HTTPClientRequest(url: running.issuer + "/login/site?to=/"))
                if page.status == 429 { refused = page }
            }
            let page = try #require(refused)
            #expect(page.headers.first(name: "retry-after") != nil)
            #expect(running.audit.events.contains { $0.kind == "limited" && $0.client == "127.0.0.1" })

            let own = try await visitor.send(HTTPClientRequest(url: running.origin + "/"))
            #expect(own.status == 200)
        }
    }

    @Test(arguments: versions)
    func `the async server holds bodies to the limit`(
        _ version: HTTPClient.Configuration.HTTPVersion
    ) async throws {
        try await RunningExample.run(.async, over: version) { running in
            for (bytes, isRefused) in [(65_536, false), (65_537, true)] {
                var request = HTTPClientRequest(url: running.issuer + "/token")
                request.method = .POST
                request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
                request.body = .bytes(ByteBuffer(repeating: UInt8(ascii: "a"), count: bytes))
                let page = try await running.visitor().send(request)
                #expect((page.status == 413) == isRefused, "\(bytes): \(page.status)")
            }
        }
    }

    @Test(arguments: Example.allCases, versions)
    func `a response to HEAD has the length of the body, and no body`(
        _ example: Example, _ version: HTTPClient.Configuration.HTTPVersion
    ) async throws {
        try await RunningExample.run(example, over: version) { running in
            let url = running.issuer + "/.well-known/openid-configuration"
            let page = try await running.visitor().send(HTTPClientRequest(url: url))
            var request = HTTPClientRequest(url: url)
            request.method = .HEAD
            let head = try await running.visitor().send(request)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers.first(name: "content-length") == "\(page.body.utf8.count)")
        }
    }
}
