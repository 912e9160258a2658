// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

// Why a request comes to nothing.

extension ProviderTransportTests {
    @Test(.attack(.hostileTokenResponse), arguments: TransportKind.allCases)
    func `no response in time is a time-out, at the head and in the body`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ request in
            switch request.line {
            case "GET /silent HTTP/1.1": .silence
            case "GET /half HTTP/1.1": .send(["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"])
            default: .send([TestRequest.response("x")])
            }
        }) { server in
            for path in ["/silent", "/half"] {
                try await withTransport(kind) { transport in
                    // On a kept connection: a new one that takes longer than the deadline is another error.
                    _ = try await TestRequest.execute(transport, server.url)
                    await #expect(throws: ProviderTransportError.timedOut) {
                        try await TestRequest.execute(transport, server.url + path, timeout: .milliseconds(50))
                    }
                }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a deadline that has passed is a time-out`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            await #expect(throws: ProviderTransportError.timedOut) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url, timeout: .seconds(-1)) }
            }
        }
    }

    @Test(.attack(.hostileTokenResponse), arguments: zip(TransportKind.allCases, ["127.0.0.99", "127.0.0.97"]))
    func `a refused connection is unreachable`(kind: TransportKind, unusedHost: String) async throws {
        let port = try await abandonedPort(on: unusedHost)
        await #expect(throws: ProviderTransportError.unreachable) {
            try await withTransport(kind) { try await TestRequest.execute($0, "http://\(unusedHost):\(port)/") }
        }
    }

    @Test(arguments: zip(TransportKind.allCases, ["127.0.0.98", "127.0.0.94"]))
    func `a refused connection and an unknown name are told apart`(
        kind: TransportKind, unusedHost: String
    ) async throws {
        let port = try await abandonedPort(on: unusedHost)
        try await withTransport(kind) { transport in
            for (url, reason) in [
                ("http://\(unusedHost):\(port)/secret?code=secret", "no connection: it was refused"),
                // RFC 6761 section 6.4: no resolver knows such a name.
                ("http://nobody.invalid/secret?code=secret", "no connection: the host's name was not found"),
            ] {
                let error = await #expect(throws: ProviderTransportError.unreachable) {
                    try await TestRequest.execute(transport, url)
                }
                #expect(error?.description == reason)
            }
        }
    }

    @Test(
        .attack(.hostileTokenResponse),
        arguments: TransportKind.allCases,
        [
            "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
        ])
    func `a connection that is closed before the response's end is an interruption, and nothing is sent again`(
        kind: TransportKind, text: String
    ) async throws {
        try await ScriptedServer.run({ _ in .sendAndClose(text) }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url, form: "code=c") }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(.attack(.hostileTokenResponse), arguments: TransportKind.allCases)
    func `a connection that is torn down is an interruption, and nothing is sent again`(
        kind: TransportKind
    ) async throws {
        try await ScriptedServer.run({ _ in .reset }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url, form: "code=c") }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `what is not HTTP is an interruption`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .sendAndClose("220 mail.example ESMTP\r\n") }) { server in
            await #expect(throws: ProviderTransportError.interrupted) {
                try await withTransport(kind) { try await TestRequest.execute($0, server.url) }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `after the shutdown nothing is sent`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            let (transport, shutdown) = kind.make()
            try await shutdown()
            await #expect(throws: ProviderTransportError.interrupted) {
                try await TestRequest.execute(transport, server.url)
            }
            #expect(server.requests.isEmpty)
        }
    }
}
