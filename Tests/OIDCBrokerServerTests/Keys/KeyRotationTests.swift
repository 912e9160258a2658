// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerServer

/// The steps of a rotation on real files.
struct KeyRotationTests {
    @Test(arguments: KeyRotation.Kind.allCases)
    func `three steps replace the key, and each refuses to come a second too early`(
        kind: KeyRotation.Kind
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, kind)
            let old = try #require(try file.ids.first)
            let steps = file.steps
            #expect(try file.rotate(at: steps[0].time) == .add)
            let new = try #require(try file.ids.last)
            #expect(try file.ids == [old, new] && old != new)
            for (step, time) in steps.dropFirst() {
                let (before, record) = (try file.contents, try directory.contents("keys.rotation"))
                #expect(throws: KeyFileError.tooEarly(step, until: time)) { try file.rotate(at: time - 1) }
                #expect(try file.contents == before && directory.contents("keys.rotation") == record)
                #expect(try file.rotate(at: time) == step)
                #expect(try file.ids == (step == .promote ? [new, old] : [new]))
            }
            #expect(try file.names == ["keys", "keys.rotation", ".keys.lock"])
            #expect(try file.rotate(at: steps[2].time) == .add)
        }
    }

    @Test(arguments: KeyRotation.Kind.allCases)
    func `a crash before, between or after the two files leaves keys and a record that go on`(
        kind: KeyRotation.Kind
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, kind)
            for (step, time) in file.steps {
                let before = try file.contents
                // The files beside are written, and no name is changed.
                _ = try file.rotation().prepare(now: time)
                #expect(try file.contents == before)
                #expect(try file.names.isSuperset(of: [".keys.new", ".keys.rotation.new"]))
                // The record is replaced, and the keys are not.
                try file.rotation().prepare(now: time).replaceRecord()
                #expect(try file.contents == before)
                #expect(try file.rotation().plan(now: time).step == step)
                #expect(try file.rotate(at: time) == step)
                #expect(try file.names == ["keys", "keys.rotation", ".keys.lock"])
            }
        }
    }

    @Test func `a step that fails leaves nothing beside the file`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            let before = try file.contents
            // A directory cannot be replaced by a file.
            try FileManager.default.createDirectory(
                atPath: directory.file(".keys.new"), withIntermediateDirectories: false)
            #expect(throws: KeyFileError.exists) { try file.rotate(at: RotatedFile.start) }
            #expect(try file.contents == before)
            #expect(try file.names == ["keys", ".keys.lock", ".keys.new"])
        }
    }

    @Test func `one process at a time`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .sealing)
            let prepared = try file.rotation().prepare(now: RotatedFile.start)
            #expect(throws: KeyFileError.busy) { try file.rotate(at: RotatedFile.start) }
            #expect(try file.rotation().plan(now: RotatedFile.start).step == .add)
            try prepared.commit()
            #expect(try file.ids.count == 2)
        }
    }

    @Test(arguments: [(0o600, 0o600), (0o640, 0o640), (0o400, 0o400), (0o660, 0o640), (0o770, 0o640)])
    func `the new file has the old one's permissions, and the group can only read it`(old: Int, new: Int) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            try RotatedFile.setMode(old, of: file.path)
            try file.rotate(at: RotatedFile.start)
            #expect(try RotatedFile.mode(of: file.path) == new)
        }
    }

    @Test(arguments: [0o644, 0o666, 0o604, 0o601])
    func `a file that others may use is left alone, since the server may be one of them`(mode: Int) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            let before = try file.contents
            try RotatedFile.setMode(mode, of: file.path)
            #expect(throws: KeyFileError.usableByOthers) { try file.rotate(at: RotatedFile.start) }
            #expect(try file.contents == before)
            #expect(try RotatedFile.mode(of: file.path) == mode)
        }
    }

    @Test func `what a symbolic link leads to is replaced, and the link stays`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .sealing)
            let link = directory.file("link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "keys")
            try KeyRotation(path: link, kind: .sealing).prepare(now: RotatedFile.start).commit()
            #expect(try file.ids.count == 2)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "keys")
            #expect(try file.names == ["keys", "keys.rotation", ".keys.lock", "link"])
        }
    }

    @Test func `a link in the place of a draft or of the lock leads to no other file`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .sealing)
            let other = try directory.write("other", "untouched".utf8)
            for name in [".keys.new", ".keys.rotation.new"] {
                try FileManager.default.createSymbolicLink(
                    atPath: directory.file(name), withDestinationPath: other)
            }
            try file.rotate(at: RotatedFile.start)
            #expect(try directory.contents("other") == Array("untouched".utf8))
            try FileManager.default.removeItem(atPath: directory.file(".keys.lock"))
            try FileManager.default.createSymbolicLink(
                atPath: directory.file(".keys.lock"), withDestinationPath: other)
            #expect(throws: KeyFileError.self) { try file.rotate(at: RotatedFile.start + 600) }
            #expect(try file.ids.count == 2)
        }
    }

    @Test func `several keys without a record need the step, whose time is not known`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .accounts)
            try file.rotate(at: RotatedFile.start)
            let ids = try file.ids
            try FileManager.default.removeItem(atPath: directory.file("keys.rotation"))
            #expect(throws: KeyFileError.refused(.unknownStep(count: 2))) { try file.rotate(at: RotatedFile.start) }
            #expect(throws: KeyFileError.refused(.wrongCount(.add, count: 2))) {
                try file.rotate(at: RotatedFile.start, step: .add)
            }
            #expect(try !file.rotation(step: .promote).plan(now: RotatedFile.start).isKnownToBeInTime)
            try file.rotate(at: RotatedFile.start, step: .promote)
            #expect(try file.ids == ids.reversed())
            // From here on there is a record.
            let time = RotatedFile.start + 7200
            #expect(throws: KeyFileError.tooEarly(.drop, until: time)) { try file.rotate(at: time - 1, step: .drop) }
        }
    }

    @Test func `keys that were changed by hand, and a record that cannot be read, are no step`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .sealing)
            try file.rotate(at: RotatedFile.start)
            let lines = String(decoding: try file.contents, as: UTF8.self).split(separator: "\n")
            try directory.write("keys", lines.reversed().joined(separator: "\n").utf8)
            try RotatedFile.setMode(0o600, of: file.path)
            let late = RotatedFile.start + 1_000_000
            #expect(throws: KeyFileError.refused(.otherKeys)) { try file.rotate(at: late) }
            for text in ["", "{}", "[1]"] {
                try directory.write("keys.rotation", text.utf8)
                #expect(throws: KeyFileError.refused(.unreadableRecord)) { try file.rotate(at: late) }
                #expect(throws: KeyFileError.refused(.unreadableRecord)) { try file.rotate(at: late, step: .drop) }
            }
            #expect(throws: KeyFileError.refused(.otherKind(.sealing))) {
                try directory.write(
                    "keys.rotation",
                    KeyRotationRecord(
                        kind: .sealing, algorithm: nil,
                        state: KeyRotationRecord.State(step: .add, time: 0, keyIDs: ["a"]),
                        before: KeyRotationRecord.State(step: .drop, time: 0, keyIDs: ["a"])
                    ).json)
                try directory.write("keys", NewKey.text(.signing, algorithm: nil).exposed.utf8)
                try RotatedFile.setMode(0o600, of: file.path)
                _ = try KeyRotation(path: file.path, kind: .signing).plan(now: late)
            }
        }
    }

    @Test func `no file, a directory, and a file of something else`() async throws {
        try await TemporaryDirectory.use { directory in
            for path in [directory.file("nothing"), directory.path] {
                #expect(throws: KeyFileError.unreadable) {
                    try KeyRotation(path: path, kind: .signing).prepare(now: RotatedFile.start)
                }
            }
            let file = try RotatedFile(directory, .sealing)
            #expect(throws: KeyFileError.unexpectedContents(.accounts)) {
                try KeyRotation(path: file.path, kind: .accounts).prepare(now: RotatedFile.start)
            }
        }
    }

    @Test func `a plan changes nothing, and makes no file`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            let before = try file.contents
            #expect(try file.rotation().plan(now: RotatedFile.start).step == .add)
            #expect(try file.contents == before && file.names == ["keys"])
        }
    }

    @Test func `a new file is its owner's, and never replaces one`() async throws {
        try await TemporaryDirectory.use { directory in
            let path = directory.file("new")
            try DurableFile.create(Array("one".utf8), at: path)
            #expect(try RotatedFile.mode(of: path) == 0o600)
            #expect(throws: KeyFileError.exists) { try DurableFile.create(Array("two".utf8), at: path) }
            #expect(try directory.contents("new") == Array("one".utf8))
            #expect(throws: KeyFileError.cannotWrite(errorNumber: ENOENT)) {
                try DurableFile.create([], at: directory.file("nowhere/new"))
            }
        }
    }
}

extension TemporaryDirectory {
    /// The contents of a file in it.
    fileprivate func contents(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file(name))))
    }
}
