// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDRelyingParty
import OpenIDRelyingPartyNIO
import Testing
import TestingSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The behavior specific to ``NIOTransport``, such as its pool. What every transport must do is in
/// ``ProviderTransportTests``.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct NIOTransportTests {
    /// How many files and sockets this process may have open.
    private static let maximumOpenFiles = sysconf(Int32(_SC_OPEN_MAX))

    @Test(.attack(.hostileDiscovery))
    func `a second response in the same bytes is not that of the next request`() async throws {
        try await ScriptedServer.run({ request in
            request.line == "GET /first HTTP/1.1"
                ? .send([TestRequest.response("first") + TestRequest.response("forged")])
                : .send([TestRequest.response("second")])
        }) { server in
            try await withTransport(.nio) { transport in
                let first = try await TestRequest.execute(transport, server.url + "/first")
                #expect(String(buffer: first.body) == "first")
                let second = try await TestRequest.execute(transport, server.url + "/second")
                #expect(String(buffer: second.body) == "second")
            }
            #expect(server.connectionCount == 2)
        }
    }

    @Test(.attack(.hostileDiscovery))
    func `an address that is not allowed does not even see that TLS was to be spoken`() async throws {
        try await ScriptedServer.run({ _ in .silence }) { server in
            await #expect(throws: ProviderTransportError.addressRefused) {
                try await withTransport(.nio) {
                    try await TestRequest.execute($0, "https://127.0.0.1:\(server.port)/", addresses: .publicOnly)
                }
            }
            try await server.firstConnectionClosed()
            #expect(server.receivedBytes == 0)
        }
    }

    @Test func `a connection is not kept for longer than the server says`() async throws {
        let fields = ["Keep-Alive: timeout=1"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x", fields: fields)]) }) { server in
            try await withTransport(.nio) { transport in
                for _ in 1...2 { _ = try await TestRequest.execute(transport, server.url) }
            }
            #expect(server.connectionCount == 2)
        }
    }

    @Test(arguments: [1, 3])
    func `a head that never ends is not kept beyond its limits`(fieldCount: Int) async throws {
        // One of 17 KB, or three of 11 KB each; no empty line behind them.
        let field = "X-Other: " + String(repeating: "a", count: fieldCount == 1 ? 17_000 : 11_000)
        let head = (["HTTP/1.1 200 OK"] + Array(repeating: field, count: fieldCount)).joined(separator: "\r\n")
        try await ScriptedServer.run({ _ in .send([head]) }) { server in
            await #expect(throws: ProviderTransportError.tooLarge) {
                try await withTransport(.nio) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(.enabled(if: NIOTransportTests.maximumOpenFiles >= 1024, "both ends of 256 connections are in this process"))
    func `1,000 requests wait for a connection; one more fails at once`() async throws {
        try await ScriptedServer.run({ _ in .silence }) { server in
            let request = try TestRequest.make(server.url)
            let loop = TestRequest.loop
            let responses = try await withTransport(.nio) { transport in
                let responses = try await loop.submit {
                    (0..<256 + 1000 + 1).map { _ in transport.execute(request, on: loop) }
                }.get()
                // None of the others has come to its deadline, nor has the provider said anything.
                let error = await #expect(throws: ProviderTransportError.self) { try await responses[1256].get() }
                #expect(error == .tooManyWaiting)
                #expect(error.map { RelyingPartyError.transport(.token, $0).isTemporary } == true)
                return responses[..<1256]
            }
            for response in responses {
                await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
            }
        }
    }

    @Test(arguments: [
        (TimeAmount.milliseconds(10), TimeAmount.seconds(30), ProviderTransportError.connectTimedOut),
        // A request that had waited before says nothing of the way to the provider.
        (.hours(1), .milliseconds(50), .timedOut),
    ])
    func `TLS that is not completed within the time for a connection is a failed connection`(
        connectTimeout: TimeAmount, timeout: TimeAmount, expected: ProviderTransportError
    ) async throws {
        try await ScriptedServer.run({ _ in .silence }) { server in
            let transport = NIOTransport(
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                lookups: HostLookups(elapsed: SystemElapsedClock()), connectTimeout: connectTimeout)
            await #expect(throws: expected) {
                try await TestRequest.execute(
                    transport, "https://127.0.0.1:\(server.port)/", timeout: timeout)
            }
            try await transport.shutdown()
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a request that is under way at the shutdown fails`() async throws {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        try await ScriptedServer.run({ _ in
            continuation.yield()
            return .silence
        }) { server in
            let request = try TestRequest.make(server.url)
            let response = try await withTransport(.nio) { transport in
                let response = transport.execute(request, on: TestRequest.loop)
                for await _ in arrivals.prefix(1) {}
                return response
            }
            await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
        }
    }

    @Test(.enabled(if: NIOTransportTests.maximumOpenFiles >= 1024, "both ends of 256 connections are in this process"))
    func `256 connections are the most; a request beyond waits for a free one, until its deadline`() async throws {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        try await ScriptedServer.run({ request in
            continuation.yield()
            return request.line == "GET /answered HTTP/1.1" ? .send([TestRequest.response("x")]) : .silence
        }) { server in
            let first = try TestRequest.make(server.url + "/answered")
            let busy = try (1...255).map { _ in try TestRequest.make(server.url + "/busy") }
            let next = try TestRequest.make(server.url + "/next")
            let late = try TestRequest.make(server.url + "/late", timeout: .milliseconds(50))
            let all = [first] + busy + [next, late]
            let loop = TestRequest.loop
            let unanswered = try await withTransport(.nio) { transport in
                // In one turn of the loop: no connection is free before all of them ask for one.
                let responses = try await loop.submit { all.map { transport.execute($0, on: loop) } }.get()
                let answered = try await responses[0].get()
                #expect(answered.status == 200)
                await #expect(throws: ProviderTransportError.timedOut) { try await responses[257].get() }
                for await _ in arrivals.prefix(257) {}
                return responses[1...256]
            }
            #expect(server.connectionCount == 256)
            let lines = server.requests.map(\.line)
            #expect(lines.count { $0 == "GET /busy HTTP/1.1" } == 255)
            #expect(lines.count { $0 == "GET /next HTTP/1.1" } == 1)
            #expect(!lines.contains("GET /late HTTP/1.1"))
            for response in unanswered {
                await #expect(throws: ProviderTransportError.interrupted) { try await response.get() }
            }
        }
    }
}
