// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import Testing

/// The target files that are there for use.
@Suite struct ReadyTargetsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Benchmarks/targets")

    private static func file(_ name: String) throws -> TargetFile {
        try TargetFile(json: Array(try Data(contentsOf: folder.appending(path: "\(name).json"))))
    }

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    @Test func `each is a target file and has the name of its file`() throws {
        let names = try Self.names()
        #expect(names.contains("ours"))
        for name in names {
            let file = try Self.file(name)
            #expect(file.name == name)
        }
    }

    /// Targets of a table are not launched at the same time, but a port is not free at once.
    @Test func `each has a port of its own`() throws {
        let bases = try Self.names().map { try Self.file($0).base.split(separator: ":").last }
        #expect(Set(bases).count == bases.count)
    }

    /// What the two say differs by the transport alone.
    @Test func `the opt-in transport is measured as the default one is`() throws {
        let ours = try Self.file("ours")
        var other = try Self.file("ours-nio")
        #expect(other.environment?["SERVER_PROVIDER_TRANSPORT"] == "nio")
        other.environment?["SERVER_PROVIDER_TRANSPORT"] = nil
        other.environment?["SERVER_PORT"] = ours.environment?["SERVER_PORT"]
        other.base = ours.base
        other.name = ours.name
        other.notes = ours.notes
        #expect(other == ours)
    }
}
