// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import JOSE
import OIDCBrokerServer
import Testing

@testable import oidc_broker

/// The commands `keys new`, `keys list`, `keys public` and `keys rotate`.
struct KeysCommandTests {
    private static let now: Int64 = 1_700_000_000

    private static func make(_ kind: String, _ name: String, in folder: KeyFolder) throws {
        try NewKeyCommand.parse([kind, "--output", folder.file(name)]).run()
    }

    private static func list(_ arguments: String...) throws -> [String] {
        try ListKeysCommand.parse(arguments).source.read().lines
    }

    private static func rotate(_ arguments: [String], at time: Int64 = now) throws -> [String] {
        try RotateKeysCommand.parse(arguments).lines(now: time)
    }

    @Test(arguments: ["sealing", "signing", "resource", "accounts", "client", "decryption", "webhook"])
    func `a new key goes to a file of its own, and no file is replaced`(kind: String) throws {
        try KeyFolder.use { folder in
            try Self.make(kind, "key", in: folder)
            let text = try folder.text("key")
            #expect(try folder.mode("key") == 0o600)
            #expect(throws: ExitCode.failure) { try Self.make(kind, "key", in: folder) }
            #expect(try folder.text("key") == text)
            #expect(try Self.list(folder.file("key"), "--kind", kind).count == 1)
        }
    }

    @Test(arguments: [
        ["sealing", "--algorithm", "es256"], ["webhook", "--algorithm", "rs256"], ["signing", "--algorithm", "es384"],
        ["tls"],
    ])
    func `a key that the configuration does not read is an error of usage`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try NewKeyCommand.parse(arguments) }
        #expect(error.map { NewKeyCommand.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `the kind of a file is that of its rotation, or what it looks like`() throws {
        try KeyFolder.use { folder in
            try Self.make("sealing", "sealing", in: folder)
            try Self.make("accounts", "accounts", in: folder)
            #expect(try Self.list(folder.file("sealing")).first?.hasPrefix("1: seals and opens, A256GCM, ") == true)
            _ = try Self.rotate([folder.file("accounts"), "--kind", "accounts", "--algorithm", "rs256"])
            // As signing keys both would sign.
            let lines = try Self.list(folder.file("accounts"))
            #expect(lines[0].hasPrefix("1: signs, ES256, 256 bits, kid "))
            #expect(lines[1].hasPrefix("2: verifies only, RS256, 2048 bits, kid "))
        }
    }

    @Test func `the public keys of a file are a JWK set, and sealing keys have none`() throws {
        try KeyFolder.use { folder in
            try Self.make("client", "client", in: folder)
            try Self.make("sealing", "sealing", in: folder)
            let document = try PublicKeysCommand.parse([folder.file("client"), "--kind", "client"]).document()
            let keySet = try KeySet(json: Array(document.utf8))
            #expect(keySet.keys.count == 1 && !keySet.containsSecrets)
            #expect(throws: ExitCode(78)) { try PublicKeysCommand.parse([folder.file("sealing")]).document() }
        }
    }

    @Test func `a client key is printed with the algorithm and the kid that the provider is told, no other key is`()
        throws
    {
        try KeyFolder.use { folder in
            try NewKeyCommand.parse(["client", "--algorithm", "rs256", "--output", folder.file("client")]).run()
            let arguments = [folder.file("client"), "--algorithm", "ps256", "--key-id", "key-1", "--kind"]
            let document = try PublicKeysCommand.parse(arguments + ["client"]).document()
            #expect(document.contains(#""alg":"PS256""#) && document.contains(#""kid":"key-1""#))
            #expect(document.contains(#""use":"sig""#))
            #expect(throws: ValidationError.self) {
                try PublicKeysCommand.parse(arguments + ["decryption"]).document()
            }
            #expect(throws: ExitCode(78)) {
                try PublicKeysCommand.parse([folder.file("client"), "--kind", "client", "--algorithm", "es256"])
                    .document()
            }
        }
    }

    @Test func `a decryption key is printed with the algorithm that the provider is told`() throws {
        try KeyFolder.use { folder in
            try Self.make("decryption", "keys", in: folder)
            let arguments = [folder.file("keys"), "--kind", "decryption", "--algorithm"]
            let document = try PublicKeysCommand.parse(arguments + ["ecdh-es+a256kw"]).document()
            #expect(document.contains(#""alg":"ECDH-ES+A256KW""#) && document.contains(#""use":"enc""#))
            #expect(throws: ExitCode(78)) { try PublicKeysCommand.parse(arguments + ["rsa-oaep-256"]).document() }
            #expect(throws: ValidationError.self) { try PublicKeysCommand.parse(arguments + ["es256"]).document() }
            #expect(throws: (any Error).self) { try PublicKeysCommand.parse(arguments + ["rsa1_5"]) }
        }
    }

    @Test func `a file that is missing or wrong ends with 78`() throws {
        try KeyFolder.use { folder in
            let wrong = try folder.write("wrong", "-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n")
            for path in [folder.file("nothing"), folder.path, wrong] {
                #expect(throws: ExitCode(78)) { try Self.list(path) }
                #expect(throws: ExitCode(78)) { try PublicKeysCommand.parse([path]).document() }
                #expect(throws: ExitCode(78)) { try RotateKeysCommand.parse([path, "--kind", "signing"]).run() }
            }
        }
    }

    @Test func `a step that comes too early ends with 75, and the line has the time`() throws {
        try KeyFolder.use { folder in
            try Self.make("signing", "keys", in: folder)
            let arguments = [folder.file("keys"), "--kind", "signing"]
            try RotateKeysCommand.parse(arguments).run()
            #expect(throws: ExitCode(75)) { try RotateKeysCommand.parse(arguments).run() }
            let error = KeyFileError.tooEarly(.promote, until: 1_700_000_900)
            #expect(
                error.line(path: "keys")
                    == "keys: it is too early to move the second key first: not before 2023-11-14T22:28:20Z")
        }
    }

    @Test func `each step says what was done and what comes next, and a dry run changes nothing`() throws {
        try KeyFolder.use { folder in
            try Self.make("signing", "keys", in: folder)
            let arguments = [folder.file("keys"), "--kind", "signing"]
            let before = try folder.text("keys")
            #expect(try Self.rotate(arguments + ["--dry-run"]) == ["This would add a new key second."])
            #expect(try folder.text("keys") == before)
            let added = try Self.rotate(arguments)
            let new = try #require(try Self.list(folder.file("keys")).last?.split(separator: " ").last)
            #expect(
                added == [
                    "Added the key \(new) second. Next: copy the file to every process; then move the second key "
                        + "first, not before 2023-11-14T22:28:20Z."
                ])
            let moved = try Self.rotate(arguments, at: Self.now + 900)
            #expect(moved.count == 1 && moved[0].hasPrefix("Moved the key \(new) first. Next: "))
            let dropped = try Self.rotate(arguments, at: Self.now + 88_200)
            #expect(dropped.count == 1 && dropped[0].hasPrefix("Dropped the key "))
        }
    }

    @Test func `a named step without a record says that its time is not known`() throws {
        try KeyFolder.use { folder in
            try Self.make("sealing", "a", in: folder)
            try Self.make("sealing", "b", in: folder)
            let path = try folder.write("keys", folder.text("a") + folder.text("b"))
            let arguments = [path, "--kind", "sealing", "--step", "promote"]
            #expect(try Self.rotate(arguments + ["--dry-run"]).count == 2)
            #expect(try Self.rotate(arguments).count == 2)
            #expect(try folder.text("keys") == folder.text("b") + folder.text("a"))
        }
    }

    @Test func `a sealing key has no algorithm to rotate, and a client key no rotation`() throws {
        for arguments in [
            ["keys", "--kind", "sealing", "--algorithm", "rs256"], ["keys", "--kind", "client"], ["keys"],
            ["keys", "--kind", "signing", "--step", "revoke"],
        ] {
            let error = #expect(throws: (any Error).self) { try RotateKeysCommand.parse(arguments) }
            #expect(error.map { RotateKeysCommand.exitCode(for: $0) } == .validationFailure)
        }
    }

    @Test(arguments: ["sealing", "signing", "accounts"])
    func `nothing of a key is in any output but that of new`(kind: String) throws {
        try KeyFolder.use { folder in
            try Self.make(kind, "keys", in: folder)
            let arguments = [folder.file("keys"), "--kind", kind]
            var (secrets, output) = (try folder.secrets("keys"), [String]())
            for time in [Self.now, Self.now + 100_000, Self.now + 200_000] {
                output += try Self.rotate(arguments + ["--dry-run"], at: time)
                output += try Self.rotate(arguments, at: time)
                output += try Self.list(folder.file("keys"), "--kind", kind)
                output.append(try folder.text("keys.rotation"))
                if kind != "sealing" { output.append(try PublicKeysCommand.parse(arguments).document()) }
                secrets += try folder.secrets("keys")
            }
            #expect(secrets.count > 3)
            for text in output {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test func `every command has an example`() {
        let commands: [any ParsableCommand.Type] = [
            NewKeyCommand.self, ListKeysCommand.self, PublicKeysCommand.self, RotateKeysCommand.self,
            AppleSecretCommand.self,
        ]
        for command in commands {
            #expect(command.configuration.discussion.contains("  oidc-broker "), "\(command)")
        }
    }
}
