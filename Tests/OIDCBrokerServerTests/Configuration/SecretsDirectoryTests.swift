// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// What is read of a secrets directory, and its limits. Nothing in it makes the reading wait.
@Suite(.timeLimit(.minutes(10))) struct SecretsDirectoryTests {
    private static let name = "auth-sealing-keys"

    /// Something in the place of a file.
    enum Other: CaseIterable, Sendable {
        case pipe, socket, device, directory, link

        func make(at path: String) throws {
            let files = FileManager.default
            switch self {
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            case .socket: close(try UnixSocketFile.make(at: path).descriptor)
            case .device:
                // A user who may not make a device uses a link to one.
                guard mknod(path, S_IFCHR | 0o600, 0x105) != 0 else { return }
                try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            case .directory: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .link: try files.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hosts")
            }
        }
    }

    /// The errors of a configuration that is complete without the directory.
    private static func errors(_ directory: TemporaryDirectory) async throws -> [ConfigurationError] {
        try await SourcesFixture.errors(
            environment: SourcesFixture.environment(with: ["AUTH_SECRETS_DIRECTORY": directory.path]))
    }

    @Test(arguments: Other.allCases) func `what is no regular file is refused by its name`(other: Other) async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file(Self.name)
            try other.make(at: path)
            #expect(SecretFile.state(atPath: path) == .notRegular)
            let found = try await Self.errors(directory)
            #expect(
                found == [
                    ConfigurationError(
                        key: Self.name, source: "secret files", expected: "a regular file; others are not read")
                ])
            // It is looked at while the server runs, too.
            let watched = WatchedFiles(secretsDirectory: directory.path)
            let before = watched.read()
            try FileManager.default.removeItem(atPath: path)
            try directory.write(Self.name, SourcesFixture.sealingKey.utf8)
            #expect(watched.read() != before)
            #expect(try await Self.errors(directory).isEmpty)
        }
    }

    @Test func `a file has a limit, which its error names`() async throws {
        try await TemporaryDirectory.use { directory in
            let longest = [UInt8](repeating: 0x61, count: SecretFile.maximumBytes)
            let path = try directory.write(Self.name, longest)
            #expect(SecretFile.state(atPath: path) == .contents(longest))
            #expect(try SecretsDirectory(path: directory.path, source: nil).errors.isEmpty)
            try directory.write(Self.name, longest + [0x61])
            #expect(SecretFile.state(atPath: path) == .tooLong)
            let found = try await Self.errors(directory)
            #expect(found.map(\.key) == [Self.name])
            #expect(found.first?.expected == "a file of at most 65536 bytes")
        }
    }

    @Test func `a directory has a limit, which its error names`() async throws {
        try await TemporaryDirectory.use { directory in
            for number in 0..<SecretsDirectory.maximumEntries { try directory.write("auth-file-\(number)", "".utf8) }
            // What is named otherwise does not count.
            try directory.write("other", "x".utf8)
            let names = try SecretsDirectory(path: directory.path, source: nil).names
            #expect(names.count == SecretsDirectory.maximumEntries)
            let watched = WatchedFiles(secretsDirectory: directory.path)
            let within = watched.read()
            try directory.write("server-file", "".utf8)
            let found = try await Self.errors(directory)
            #expect(found.map(\.key) == ["auth.secrets-directory"] && found.first?.source == "environment")
            #expect(found.first?.expected.contains("at most 1024 entries") == true)
            #expect(found.first?.expected.contains(directory.path) == true)
            #expect(watched.read() != within)
            try FileManager.default.removeItem(atPath: directory.file("server-file"))
            #expect(watched.read() == within)
        }
    }

    @Test func `of the files named server-… those that are keys are refused`() async throws {
        try await TemporaryDirectory.use { directory in
            try Other.directory.make(at: directory.file("server-certificates"))
            #expect(try await Self.errors(directory).isEmpty)
            try Other.pipe.make(at: directory.file("server-port"))
            #expect(try await Self.errors(directory).map(\.key) == ["server-port"])
        }
    }

    @Test func `nothing but what may be a key is read`() async throws {
        try await TemporaryDirectory.use { directory in
            try Other.pipe.make(at: directory.file("other"))
            try directory.write("database", [UInt8](repeating: 0, count: SecretFile.maximumBytes + 1))
            try directory.write(".auth-sealing-keys", "x".utf8)
            #expect(try await Self.errors(directory).isEmpty)
        }
    }

    @Test func `values are those of swift-configuration`() async throws {
        let texts = [
            "", " ", "text", " two words\r\n", "12", " -3\n", "12x", "9223372036854775808", "1.5", "true", "false",
            "TRUE", "yes", "a,b", " a , b ,", ",", "1,2", "1,x", "1.5, 2", "true,false", "true,no", "Gr\u{FC}\u{DF}e",
        ]
        let types: [ConfigType] = [
            .string, .int, .double, .bool, .bytes, .stringArray, .intArray, .doubleArray, .boolArray, .byteChunkArray,
        ]
        try await TemporaryDirectory.use { directory in
            for (number, text) in texts.enumerated() { try directory.write("auth-text-\(number)", text.utf8) }
            try directory.write("auth-text-\(texts.count)", [0xFF, 0x61] as [UInt8])
            let ours = try SecretsDirectory(path: directory.path, source: nil).provider
            let theirs = try await ConfigurationSources.make(path: directory.path) {
                try await DirectoryFilesProvider(directoryPath: $0)
            }
            for number in 0...texts.count + 1 {
                let key = AbsoluteConfigKey(["auth", "text-\(number)"])
                for type in types {
                    let value = try? ours.value(forKey: key, type: type)
                    #expect(value == (try? theirs.value(forKey: key, type: type)), "\(number) \(type)")
                }
            }
        }
    }

    @Test func `printing shows no contents`() {
        let provider = SecretFilesProvider(contents: [Self.name: Array("hush".utf8)])
        var text = "\(provider) \(String(reflecting: provider))"
        dump(provider, to: &text)
        #expect(!text.contains("hush") && !text.contains("104") && !text.contains(Self.name))
    }
}
