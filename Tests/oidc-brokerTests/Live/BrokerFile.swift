// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE

/// A configuration file with one provider, which is there for as long as a body runs.
struct BrokerFile: Sendable {
    /// The client secret in the file unless a test has another one.
    static let secret = "client-secret-of-the-broker"

    let folder: URL
    /// The path of the file.
    var path: String { folder.appending(path: "broker.json").path }

    static func use<Value: Sendable>(
        issuer: String, secret: String = BrokerFile.secret,
        signingKey: String = P256.Signing.PrivateKey().pemRepresentation,
        resourceSigningKey: String = P256.Signing.PrivateKey().pemRepresentation,
        _ body: (BrokerFile) async throws -> Value
    ) async throws -> Value {
        let file = BrokerFile(
            folder: FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: file.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: file.folder) }
        let auth: JSONObject = [
            "public-url": "http://localhost:1", "sealing-keys": [.string(Base64.encode(SecureRandom.bytes(32)))],
            "signing-keys": .string(signingKey), "providers": ["acme"],
            "provider": [
                "acme": [
                    "issuer": .string(issuer), "insecure-loopback-issuer": true, "client-id": "broker",
                    "client-secret": .string(secret),
                ]
            ],
            "resource-signing-keys": .string(resourceSigningKey), "resources": ["orders"],
            "resource": ["orders": ["identifier": "urn:orders"]],
            "apps": ["shop"], "app": ["shop": ["redirect-uris": ["https://shop.example/callback"]]],
        ]
        let configuration: JSONObject = ["auth": .object(auth)]
        _ = FileManager.default.createFile(
            atPath: file.path, contents: Data(configuration.serialized()), attributes: [.posixPermissions: 0o600])
        return try await body(file)
    }

    /// Writes another file beside it, and returns its path.
    func write(_ name: String, _ contents: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(contents).write(to: url)
        return url.path
    }
}
