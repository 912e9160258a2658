// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

// What becomes of a request on a connection that was kept, and that the provider ends.

extension ProviderTransportTests {
    /// How a server ends a connection at its second request.
    static let ends: [ScriptedServer.Response] = [.sendAndClose(""), .reset]

    /// A server that responds to `/first` and, the second time, to `/again`, and otherwise ends the connection.
    private static func run(
        ending end: ScriptedServer.Response, always: Bool = false, _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        let ended = Turn()
        try await ScriptedServer.run(
            { request in
                if request.line.hasSuffix("/first HTTP/1.1") { return .send([TestRequest.response("first")]) }
                return ended.isFirst() || always ? end : .send([TestRequest.response("again")])
            }, body)
    }

    @Test(arguments: TransportKind.allCases, ProviderTransportTests.ends.indices)
    func `a GET on a kept connection that ends is sent again once`(kind: TransportKind, index: Int) async throws {
        try await Self.run(ending: Self.ends[index]) { server in
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url + "/first")
                let again = try await TestRequest.execute(transport, server.url + "/again", authorization: "Bearer x")
                #expect(String(buffer: again.body) == "again")
            }
            #expect(server.requests.map(\.line) == ["/first", "/again", "/again"].map { "GET \($0) HTTP/1.1" })
            #expect(server.requests.map { $0.header("authorization") } == [[], ["Bearer x"], ["Bearer x"]])
            #expect(server.connectionCount == 2)
        }
    }

    @Test(arguments: TransportKind.allCases, ProviderTransportTests.ends.indices)
    func `a GET is not sent a third time`(kind: TransportKind, index: Int) async throws {
        try await Self.run(ending: Self.ends[index], always: true) { server in
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url + "/first")
                await #expect(throws: ProviderTransportError.interrupted) {
                    try await TestRequest.execute(transport, server.url + "/again")
                }
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test(.attack(.hostileTokenResponse), arguments: TransportKind.allCases, ProviderTransportTests.ends.indices)
    func `a form on a kept connection that ends is not sent again`(kind: TransportKind, index: Int) async throws {
        try await Self.run(ending: Self.ends[index]) { server in
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url + "/first", form: "code=a")
                await #expect(throws: ProviderTransportError.interrupted) {
                    try await TestRequest.execute(transport, server.url + "/token", form: "code=b")
                }
            }
            #expect(server.requests.map(\.body) == ["code=a", "code=b"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a GET whose response has begun is not sent again`(kind: TransportKind) async throws {
        try await Self.run(ending: .sendAndClose("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1")) { server in
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url + "/first")
                await #expect(throws: ProviderTransportError.interrupted) {
                    try await TestRequest.execute(transport, server.url + "/again")
                }
            }
            #expect(server.requests.count == 2)
        }
    }
}
