// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// A client that closes its half of the connection with its last request (RFC 9112 section 9.6).
@Suite(.onSockets, .timeLimit(.minutes(10))) struct HalfClosureTests {
    /// With no deadline that would close the connection within the test, if the half-closure does not.
    private static func patient(_ options: RunningServer.Options) -> RunningServer.Options {
        var options = options
        options.limits.idleTimeout = .hours(1)
        options.limits.requestHeadDeadline = .hours(1)
        return options
    }

    @Test(arguments: [true, false], ["/__/auth/jwks", "/somebody/else"])
    func `still gets its response, and the connection ends`(isSecure: Bool, path: String) async throws {
        var options = RunningServer.Options()
        options.isSecure = isSecure
        try await RunningServer.run(Self.patient(options)) { server in
            let tls = isSecure ? RawConnection.TLS(certificate: server.certificate) : nil
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                try await connection.sendLast(Request.get(path, server))
                #expect(try await connection.response().status == (path == "/__/auth/jwks" ? 200 : 404))
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func `gets a response that takes longer`() async throws {
        let transport = StubTransport()
        defer { transport.giveUp() }
        try await RunningServer.run(Self.patient(.plain(transport))) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.sendLast(Request.start(server))
                try await transport.next().succeedWithMetadata()
                #expect(try await connection.response().status == 303)
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test(arguments: [
        "", "GET /__/auth/jwks HT", "POST /__/auth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na",
    ])
    func `is not waited for where the request is not whole`(text: String) async throws {
        var options = RunningServer.Options()
        options.isSecure = false
        try await RunningServer.run(Self.patient(options)) { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.sendLast(text)
                let rest = await connection.rest()
                #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400 ") || rest.hasPrefix("HTTP/1.1 421 "))
            }
        }
    }
}
