// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// What is seen of files that change.
struct WatchedFilesTests {
    /// Changes of the file `value`, which contains "old".
    enum Change: String, CaseIterable, Sendable {
        case editInPlace, appendInPlace, truncate, renameOver, remove, directory, danglingLink, link, pipe, tooLong

        func make(in directory: TemporaryDirectory) throws {
            let files = FileManager.default
            let path = directory.file("value")
            switch self {
            case .editInPlace: try Data("new".utf8).write(to: URL(filePath: path))
            case .appendInPlace: try Data("old\n".utf8).write(to: URL(filePath: path))
            case .truncate: try Data().write(to: URL(filePath: path))
            case .renameOver: try directory.write("value", "new".utf8)
            case .remove: try files.removeItem(atPath: path)
            case .directory:
                try files.removeItem(atPath: path)
                try files.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .danglingLink:
                try files.removeItem(atPath: path)
                try files.createSymbolicLink(atPath: path, withDestinationPath: directory.file("nowhere"))
            case .link:
                try files.removeItem(atPath: path)
                try files.createSymbolicLink(
                    atPath: path, withDestinationPath: try directory.write("other", "new".utf8))
            case .pipe:
                try files.removeItem(atPath: path)
                try #require(mkfifo(path, 0o600) == 0)
            case .tooLong:
                let contents = [UInt8](repeating: 0x61, count: ConfigurationFile.maximumBytes + 1)
                try directory.write("value", contents)
            }
        }
    }

    @Test(arguments: Change.allCases) func `a change of a file is seen`(change: Change) async throws {
        try await TemporaryDirectory.use { directory in
            let watched = WatchedFiles(paths: [try directory.write("value", "old".utf8)])
            let before = try await watched.fingerprint()
            #expect(try await watched.fingerprint() == before)
            try change.make(in: directory)
            let after = try await watched.fingerprint()
            #expect(after != before)
            #expect(try await watched.fingerprint() == after)
        }
    }

    @Test func `what a glance shows to be unchanged is not read`() async throws {
        try await TemporaryDirectory.use { directory in
            let watched = WatchedFiles(paths: [try directory.write("value", "old".utf8)])
            let later = SystemUnixClock().now() + 60
            let first = watched.read(knowing: nil, now: later)
            let known = try #require(first.sighting)
            // Whatever was seen is taken for what is there.
            let other = WatchedFilesFingerprint([(path: "x", state: .absent)])
            let bogus = WatchedFiles.Sighting(files: watched, glance: known.glance, fingerprint: other)
            #expect(watched.read(knowing: bogus, now: later).fingerprint == other)
            #expect(WatchedFiles(paths: []).read(knowing: bogus, now: later).fingerprint != other)
            // A file that was changed a moment ago may be changed once more within the same time.
            #expect(watched.read(knowing: nil, now: SystemUnixClock().now()).sighting == nil)
        }
    }

    /// An edit in place within the resolution of the file system's times is why such a file is read again.
    @Test(arguments: Change.allCases.filter { $0 != .editInPlace }) func `a change is another glance`(change: Change)
        async throws
    {
        try await TemporaryDirectory.use { directory in
            let watched = WatchedFiles(paths: [try directory.write("value", "old".utf8)])
            let before = try #require(watched.glance())
            #expect(watched.glance() == before)
            try change.make(in: directory)
            #expect(watched.glance() != before)
        }
    }

    @Test func `a glance sees the files of a secrets directory that Kubernetes swaps`() async throws {
        try await TemporaryDirectory.use { directory in
            let volume = try SecretVolume(in: directory, ["auth-sealing-keys": "one"])
            let watched = WatchedFiles(secretsDirectory: volume.path)
            let before = try #require(watched.glance())
            try volume.swap(["auth-sealing-keys": "two"])
            #expect(try #require(watched.glance()) != before)
        }
    }

    @Test func `the same contents in another file are no change`() async throws {
        try await TemporaryDirectory.use { directory in
            let watched = WatchedFiles(paths: [try directory.write("value", "old".utf8)])
            let before = try await watched.fingerprint()
            try directory.write("value", "old".utf8)
            #expect(try await watched.fingerprint() == before)
        }
    }

    @Test func `what is read of a file is what is there, up to the limit`() throws {
        let limit = [UInt8](repeating: 0x61, count: ConfigurationFile.maximumBytes)
        #expect(ConfigurationFile.state(atPath: "/dev/null") == .unreadable)
        #expect(ConfigurationFile.state(atPath: "/") == .directory)
        #expect(ConfigurationFile.state(atPath: "/nowhere/at/all") == .absent)
        #expect(ConfigurationFile.state(atPath: "/dev/null/beyond") == .absent)
        #expect(ConfigurationFile.state(atPath: "/\u{0}") == .absent)
        #expect(ConfigurationFile.state(atPath: "") == .absent)
        let url = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(limit).write(to: url)
        #expect(ConfigurationFile.contents(atPath: url.path) == limit)
        try Data(limit + [0x61]).write(to: url)
        #expect(ConfigurationFile.contents(atPath: url.path) == nil)
        try Data().write(to: url)
        #expect(ConfigurationFile.contents(atPath: url.path) == [])
    }

    @Test func `a secrets directory is seen through the link of Kubernetes`() async throws {
        try await TemporaryDirectory.use { directory in
            let volume = try SecretVolume(in: directory, ["auth-sealing-keys": "one", "other": "x"])
            let watched = WatchedFiles(secretsDirectory: volume.path)
            let before = try await watched.fingerprint()
            // Files that are no keys are not looked at.
            try volume.swap(["auth-sealing-keys": "one", "other": "y"])
            #expect(try await watched.fingerprint() == before)
            try volume.swap(["auth-sealing-keys": "two"])
            let swapped = try await watched.fingerprint()
            #expect(swapped != before)
            try volume.swap(["auth-sealing-keys": "two", "auth-signing-keys": "three"])
            #expect(try await watched.fingerprint() != swapped)
            try FileManager.default.removeItem(atPath: volume.path)
            #expect(try await watched.fingerprint() != swapped)
        }
    }

    @Test func `a link in a secrets directory is not the file that it leads to`() async throws {
        try await TemporaryDirectory.use { directory in
            let target = try directory.write("target", "one".utf8)
            let secrets = directory.file("secrets")
            try FileManager.default.createDirectory(atPath: secrets, withIntermediateDirectories: false)
            let path = secrets + "/auth-sealing-keys"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            let watched = WatchedFiles(secretsDirectory: secrets)
            let linked = try await watched.fingerprint()
            try FileManager.default.removeItem(atPath: path)
            try Data("one".utf8).write(to: URL(filePath: path))
            #expect(try await watched.fingerprint() != linked)
        }
    }

    @Test func `no two lists of files have one fingerprint`() {
        let lists: [[(path: String, state: ConfigurationFile.State)]] = [
            [], [("a", .absent)], [("a", .directory)], [("a", .unreadable)], [("a", .file([]))], [("a", .file([0]))],
            [("ab", .file([]))], [("a", .file([])), ("b", .file([]))], [("a", .absent), ("b", .absent)],
            [("a", .file(Array("b".utf8)))], [("b", .absent)],
        ]
        #expect(Set(lists.map { WatchedFilesFingerprint($0) }).count == lists.count)
    }
}
