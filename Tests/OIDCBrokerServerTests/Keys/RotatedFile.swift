// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE
import OIDCBroker
import OpenIDRelyingParty

@testable import OIDCBrokerServer

/// A file with one key in a directory of its own, and the steps of its rotation, at the times that the tests say.
struct RotatedFile {
    static let start: Int64 = 1_700_000_000

    let path: String
    let kind: KeyRotation.Kind

    /// Makes a file with one new key.
    init(_ directory: TemporaryDirectory, _ kind: KeyRotation.Kind, name: String = "keys") throws {
        path = try directory.write(name, NewKey.text(kind.keyKind, algorithm: nil).exposed.utf8)
        self.kind = kind
        try Self.setMode(0o600, of: path)
    }

    /// The times at which the three steps may be taken at the earliest.
    var steps: [(step: KeyRotation.Step, time: Int64)] {
        let promotion = Self.start + kind.wait(before: .promote)
        return [(.add, Self.start), (.promote, promotion), (.drop, promotion + kind.wait(before: .drop))]
    }

    var contents: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: path))) } }

    var file: KeyFile { get throws { try KeyFile(contents, kind: kind.keyKind) } }

    /// The identifiers of the keys, in their order.
    var ids: [String] { get throws { try file.keys.map(\.id) } }

    func rotation(step: KeyRotation.Step? = nil) -> KeyRotation {
        KeyRotation(path: path, kind: kind, step: step)
    }

    /// Takes the step that is next.
    @discardableResult
    func rotate(at time: Int64, step: KeyRotation.Step? = nil) throws -> KeyRotation.Step {
        let prepared = try rotation(step: step).prepare(now: time)
        try prepared.commit()
        return prepared.step
    }

    static func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    static func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// The names in the directory of the file.
    var names: Set<String> {
        get throws {
            let directory = URL(filePath: path).deletingLastPathComponent().path
            return Set(try FileManager.default.contentsOfDirectory(atPath: directory))
        }
    }
}
