// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerServer
import OIDCBrokerTesting

/// A directory that is there for as long as a body runs.
struct TemporaryDirectory: Sendable {
    /// Where it is.
    let path: String

    /// Runs a body with a directory of its own.
    static func use<Value: Sendable>(_ body: (TemporaryDirectory) async throws -> Value) async throws -> Value {
        let url = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(TemporaryDirectory(path: url.path))
    }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, in one step, and gives its path.
    @discardableResult
    func write(_ name: String, _ contents: some Sequence<UInt8>) throws -> String {
        let path = file(name)
        try Data(contents).write(to: URL(filePath: path), options: .atomic)
        return path
    }

    /// Writes a certificate and its key.
    @discardableResult
    func write(_ certificate: DevelopmentCertificate) throws -> TLSFiles {
        TLSFiles(
            certificateChain: try write("certificate.pem", certificate.certificatePEM.utf8),
            privateKey: try write("key.pem", certificate.privateKeyPEM.utf8))
    }
}
