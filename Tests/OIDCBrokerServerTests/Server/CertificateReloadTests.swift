// SPDX-License-Identifier: Apache-2.0

@testable import OIDCBrokerServer
import OIDCBrokerOperations
import NIOSSL
import OIDCBrokerTesting
import Testing
import TestingSupport

/// The TLS files are read again while the server runs.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct CertificateReloadTests {
    private static func options(_ log: LogRecorder) -> RunningServer.Options {
        var options = RunningServer.Options()
        options.logger = log.logger
        options.limits.certificateRefreshInterval = .milliseconds(20)
        return options
    }

    /// Whether a new connection uses that certificate.
    private static func isAnswered(_ server: RunningServer, _ certificate: DevelopmentCertificate) async -> Bool {
        do {
            return try await RawConnection.open(port: server.port, tls: .init(certificate: certificate)) { connection in
                try await connection.send(Request.get("/__/auth/jwks", server))
                return try await connection.response().status == 200
            }
        } catch {
            return false
        }
    }

    @Test func `new connections get the new certificate, old ones live on`() async throws {
        let log = LogRecorder()
        let next = try TestCertificate.make()
        try await RunningServer.run(Self.options(log)) { server in
            try await RawConnection.open(port: server.port, tls: .init(certificate: server.certificate)) { old in
                try await old.send(Request.get("/__/auth/jwks", server))
                #expect(try await old.response().status == 200)
                #expect(await !Self.isAnswered(server, next))

                try server.directory.write(next)
                try await log.wait(forPrefix: "TLS certificate reloaded")
                #expect(await Self.isAnswered(server, next))
                #expect(await !Self.isAnswered(server, server.certificate))
                try await old.send(Request.get("/__/auth/jwks", server))
                #expect(try await old.response().status == 200)
            }
        }
    }

    @Test(
        arguments: ["certificate.pem", "key.pem"],
        ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a broken file keeps the last good certificate, until it is mended`(
        name: String, contents: String
    ) async throws {
        let log = LogRecorder()
        let next = try TestCertificate.make()
        try await RunningServer.run(Self.options(log)) { server in
            try server.directory.write(name, contents.utf8)
            try await log.wait(forPrefix: "cannot reload the TLS certificate")
            #expect(await Self.isAnswered(server, server.certificate))
            try server.directory.write(next)
            try await log.wait(forPrefix: "TLS certificate reloaded")
            #expect(await Self.isAnswered(server, next))
        }
    }

    @Test func `files with other blocks among those that are meant are taken`() async throws {
        let log = LogRecorder()
        let next = try TestCertificate.make()
        try await RunningServer.run(Self.options(log)) { server in
            let both = next.privateKeyPEM + "\n" + next.certificatePEM
            try server.directory.write("certificate.pem", both.utf8)
            try server.directory.write("key.pem", (PEMVariantTests.parameters + both).utf8)
            try await log.wait(forPrefix: "TLS certificate reloaded")
            #expect(await Self.isAnswered(server, next))
        }
    }

    @Test func `an error is one line of the log`() {
        let error = "a\nb\r\nc\u{85}d\u{2028}e\u{1B}[31m\u{0}"
        #expect(error.oneLine() == "a b  c d e [31m ")
    }

    @Test func `a key of another certificate is not taken`() async throws {
        let log = LogRecorder()
        let other = try TestCertificate.make()
        try await RunningServer.run(Self.options(log)) { server in
            try server.directory.write("key.pem", other.privateKeyPEM.utf8)
            try await log.wait(forPrefix: "cannot reload the TLS certificate")
            #expect(await Self.isAnswered(server, server.certificate))
        }
    }
}
