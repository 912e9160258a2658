// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import OIDCBrokerTesting
import Testing
import TestingSupport

/// What the TLS listener takes.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct TLSTests {
    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `TLS 1.2 and 1.3 are spoken`(version: TLSVersion) async throws {
        try await RunningServer.run { server in
            let tls = RawConnection.TLS(
                certificate: server.certificate, minimumVersion: version, maximumVersion: version)
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test(arguments: [TLSVersion.tlsv1, .tlsv11])
    func `older versions are refused by the server`(version: TLSVersion) async throws {
        try await RunningServer.run { server in
            let tls = RawConnection.TLS(
                certificate: server.certificate, minimumVersion: version, maximumVersion: version)
            let error = await #expect(throws: (any Error).self) {
                try await RawConnection.open(port: server.port, tls: tls) { connection in
                    try await connection.waitForBytes()
                }
            }
            // The server's alert, not a client that does not want to.
            let description = error.map { String(describing: $0) } ?? ""
            #expect(description.contains("TLSV1_ALERT_PROTOCOL_VERSION"), "\(description)")
        }
    }

    @Test func `plain HTTP on the TLS port gets nothing`() async throws {
        try await RunningServer.run { server in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(!(await connection.rest()).contains("HTTP/"))
            }
        }
    }

    @Test func `a client that trusts another certificate does not connect`() async throws {
        let other = try TestCertificate.make()
        _ = try await RunningServer.run { server in
            await #expect(throws: (any Error).self) {
                try await RawConnection.open(port: server.port, tls: .init(certificate: other)) { connection in
                    try await connection.send(Request.get("/__/auth/jwks", server))
                    _ = try await connection.response()
                }
            }
        }
    }

    @Test func `HTTP/1.1 on a connection that chose HTTP/2 gets nothing`() async throws {
        try await RunningServer.run { server in
            let tls = RawConnection.TLS(certificate: server.certificate, protocols: ["h2", "http/1.1"])
            try await RawConnection.open(port: server.port, tls: tls) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                #expect(!(await connection.rest()).contains("HTTP/1.1 200"))
            }
        }
    }
}
