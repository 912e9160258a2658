// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Testing
import TestingSupport

@testable import OIDCBrokerServer

/// The file of a Unix domain socket.
@Suite(.onSockets) struct UnixSocketFileTests {
    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    private func fileType(_ path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    /// Binds, and closes the socket without removing its file, as a process that was killed.
    private func leaveBehind(_ path: String) throws {
        close(try UnixSocketFile.make(at: path).descriptor)
    }

    @Test func `its owner and its group may connect, and it is removed at the end`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file("broker.sock")
            let (file, descriptor) = try UnixSocketFile.make(at: path)
            defer { close(descriptor) }
            #expect(try mode(path) == 0o660)
            #expect(fileType(path) == .typeSocket)
            file.remove()
            #expect(fileType(path) == nil)
            // Once more changes nothing.
            file.remove()
        }
    }

    @Test func `one that a process left behind is replaced`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file("broker.sock")
            try leaveBehind(path)
            #expect(fileType(path) == .typeSocket)
            let (file, descriptor) = try UnixSocketFile.make(at: path)
            defer { close(descriptor) }
            #expect(try mode(path) == 0o660)
            file.remove()
        }
    }

    @Test func `anything else at the path stays, and is an error`() async throws {
        try await TemporaryDirectory.use { directory in
            let target = directory.file("target.sock")
            try leaveBehind(target)
            let path = directory.file("file")
            try directory.write("file", "secret".utf8)
            let folder = directory.file("folder")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let link = directory.file("link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            for (other, kind) in [
                (path, FileAttributeType.typeRegular), (folder, .typeDirectory), (link, .typeSymbolicLink),
            ] {
                #expect(throws: UnixSocketFile.Failure.isOtherFile) { _ = try UnixSocketFile.make(at: other) }
                #expect(fileType(other) == kind)
            }
            #expect(fileType(target) == .typeSocket)
        }
    }

    @Test func `a path that is too long, or in no directory, is an error`() async throws {
        try await TemporaryDirectory.use { directory in
            let long = directory.file(String(repeating: "a", count: 200))
            #expect(throws: UnixSocketFile.Failure.isTooLong) { _ = try UnixSocketFile.make(at: long) }
            #expect(throws: UnixSocketFile.Failure.system(call: "bind", code: ENOENT)) {
                _ = try UnixSocketFile.make(at: directory.file("nowhere/broker.sock"))
            }
        }
    }

    @Test func `another one that took its place is not removed`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file("broker.sock")
            let (file, descriptor) = try UnixSocketFile.make(at: path)
            defer { close(descriptor) }
            // It has no listener yet, so that the second one replaces it.
            let (second, secondDescriptor) = try UnixSocketFile.make(at: path)
            defer { close(secondDescriptor) }
            file.remove()
            #expect(fileType(path) == .typeSocket)
            try FileManager.default.removeItem(atPath: path)
            try directory.write("broker.sock", "other".utf8)
            second.remove()
            #expect(fileType(path) == .typeRegular)
        }
    }
}
