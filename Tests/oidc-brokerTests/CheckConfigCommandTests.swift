// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import Crypto
    import Foundation
    import JOSE
    import Testing

    @testable import oidc_broker

    @Suite struct CheckConfigCommandTests {
        /// Runs the command.
        /// - Parameters:
        ///   - keyMode: The permissions of the file with the signing key.
        ///   - secretMode: The permissions of the file with the client secret, which is in a secrets directory.
        ///   - fileMode: The permissions of the configuration file, in which the sealing key is.
        ///   - scopes: The scopes of the provider.
        ///   - title: The title of the app.
        ///   - codeBinding: The `code-binding` of the app, which is confidential then.
        private static func run(
            _ arguments: [String], keyMode: Int, secretMode: Int = 0o600, fileMode: Int = 0o600,
            scopes: String = "[openid, email]", title: String? = "Shop", codeBinding: String? = nil
        ) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let key = directory.appending(path: "signing-key.pem")
            try P256.Signing.PrivateKey().pemRepresentation.write(to: key, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: keyMode], ofItemAtPath: key.path)
            let secrets = directory.appending(path: "secrets")
            try FileManager.default.createDirectory(at: secrets, withIntermediateDirectories: true)
            let secret = secrets.appending(path: "auth-provider-acme-client-secret")
            try "from-secret-file".write(to: secret, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: secretMode], ofItemAtPath: secret.path)
            let file = directory.appending(path: "broker.yaml")
            let text = """
                auth:
                  public-url: https://auth.example.com
                  sealing-keys: [\(Base64.encode([UInt8](repeating: 7, count: 32)))]
                  signing-keys-file: \(key.path)
                  secrets-directory: \(secrets.path)
                  providers: [acme]
                  provider:
                    acme:
                      issuer: https://login.acme.example
                      client-id: broker
                      scopes: \(scopes)
                  apps: [shop]
                  app:
                    shop:
                      \(title.map { "title: \($0)" } ?? "")
                      \(codeBinding.map { "code-binding: \($0)" } ?? "")
                      \(codeBinding.map { _ in "client-secret: sixteen-letters!" } ?? "")
                      redirect-uris: ["https://shop.example/cb"]
                """
            try text.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: fileMode], ofItemAtPath: file.path)
            try await CheckConfigCommand.parse(arguments + ["--config", file.path]).run()
        }

        @Test func `a key file that others can read is an error with --strict alone`() async throws {
            try await Self.run([], keyMode: 0o644)
            try await Self.run(["--strict"], keyMode: 0o600)
            await #expect(throws: ExitCode(78)) { try await Self.run(["--strict"], keyMode: 0o644) }
        }

        @Test func `a configuration file with a secret that others can read is an error with --strict alone`()
            async throws
        {
            try await Self.run([], keyMode: 0o600, fileMode: 0o644)
            try await Self.run(["--strict"], keyMode: 0o600, fileMode: 0o640)
            await #expect(throws: ExitCode(78)) {
                try await Self.run(["--strict"], keyMode: 0o600, fileMode: 0o644)
            }
        }

        @Test func `a provider without email and an app without a title are errors with --strict alone`() async throws {
            try await Self.run([], keyMode: 0o600, scopes: "[openid]", title: nil)
            await #expect(throws: ExitCode(78)) {
                try await Self.run(["--strict"], keyMode: 0o600, scopes: "[openid]")
            }
            await #expect(throws: ExitCode(78)) { try await Self.run(["--strict"], keyMode: 0o600, title: nil) }
        }

        @Test func `an app that need not bind its codes is an error with --strict alone`() async throws {
            try await Self.run([], keyMode: 0o600, codeBinding: "none")
            try await Self.run(["--strict"], keyMode: 0o600, codeBinding: "nonce")
            await #expect(throws: ExitCode(78)) {
                try await Self.run(["--strict"], keyMode: 0o600, codeBinding: "none")
            }
        }

        @Test func `a secret file that others can read is an error with --strict alone`() async throws {
            try await Self.run([], keyMode: 0o600, secretMode: 0o644)
            try await Self.run(["--strict"], keyMode: 0o600, secretMode: 0o440)
            await #expect(throws: ExitCode(78)) {
                try await Self.run(["--strict"], keyMode: 0o600, secretMode: 0o644)
            }
        }
    }
#endif
