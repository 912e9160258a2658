// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDRelyingParty
import Testing
import TestingSupport

// Which requests share a connection, and which addresses get none.

extension ProviderTransportTests {
    @Test(arguments: TransportKind.allCases)
    func `requests on one event loop reuse its connection`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            try await withTransport(kind) { transport in
                for _ in 1...2 {
                    let response = try await TestRequest.execute(transport, server.url)
                    #expect(response.status == 200)
                }
            }
            #expect(server.requests.count == 2)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a connection that a response closes is not used again`(kind: TransportKind) async throws {
        let fields = ["Connection: close"]
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x", fields: fields)]) }) { server in
            try await withTransport(kind) { transport in
                for _ in 1...2 { _ = try await TestRequest.execute(transport, server.url) }
            }
            #expect(server.requests.count == 2)
            #expect(server.connectionCount == 2)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `requests at once have a connection each`(kind: TransportKind) async throws {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        try await ScriptedServer.run({ _ in
            continuation.yield()
            return .silence
        }) { server in
            let request = try TestRequest.make(server.url)
            let unanswered = try await withTransport(kind) { transport in
                let unanswered = (1...20).map { _ in transport.execute(request, on: TestRequest.loop) }
                for await _ in arrivals.prefix(20) {}
                return unanswered
            }
            #expect(server.connectionCount == 20)
            for response in unanswered {
                await #expect(throws: ProviderTransportError.self) { try await response.get() }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `requests at once get each its own response`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ request in .send([TestRequest.response(request.line)]) }) { server in
            try await withTransport(kind) { transport in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for number in 1...20 {
                        tasks.addTask {
                            let response = try await TestRequest.execute(
                                transport, server.url + "/\(number)",
                                on: MultiThreadedEventLoopGroup.singleton.next())
                            #expect(String(buffer: response.body) == "GET /\(number) HTTP/1.1")
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
            #expect(server.requests.count == 20)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a loop of another group gets its response on itself`(kind: TransportKind) async throws {
        try await Self.withOtherLoop { loop in
            try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
                let request = try TestRequest.make(server.url)
                try await withTransport(kind) { transport in
                    let future = transport.execute(request, on: loop)
                    let isOfTheLoop = future.eventLoop === loop
                    #expect(isOfTheLoop)
                    let response = try await future.get()
                    #expect(String(buffer: response.body) == "x")
                }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `one trust's connection is not used by another`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url, addresses: .any)
                await #expect(throws: ProviderTransportError.addressRefused) {
                    try await TestRequest.execute(transport, server.url, addresses: .publicOnly)
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: TransportKind.allCases)
    func `an address that is not allowed gets no byte`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            await #expect(throws: ProviderTransportError.addressRefused) {
                try await withTransport(kind) {
                    try await TestRequest.execute(
                        $0, server.url, authorization: "Basic x", form: "code=c", addresses: .publicOnly)
                }
            }
            try await server.firstConnectionClosed()
            #expect(server.receivedBytes == 0)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(.attack(.hostileDiscovery), arguments: TransportKind.allCases)
    func `a private issuer may have a private address, and no other`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            let response = try await withTransport(kind) {
                try await TestRequest.execute($0, server.url, addresses: .privateOnly)
            }
            #expect(response.status == 200)
        }
    }

    /// Runs a test with an event loop that no transport uses.
    private static func withOtherLoop(_ body: (any EventLoop) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        try await attempt {
            try await body(group.any())
        } finally: {
            try await group.shutdownGracefully()
        }
    }
}
