// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestingSupport

/// The suites with tests, by attack: what the sources of the tests say by the trait `attack`.
struct AttackCoverage: Sendable {
    /// The names of suites. An attack without tests has none.
    private(set) var suites: [Attack: Set<String>] = [:]

    /// What all test targets say.
    static func ofAllTests() throws -> AttackCoverage {
        let folder = ConformanceDocument.repository.appending(path: "Tests")
        var coverage = AttackCoverage()
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") && !path.hasSuffix("AttackCoverageTests.swift") {
            coverage.read(String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self))
        }
        return coverage
    }

    /// Reads one file. A trait belongs to the type at the file's top level that it stands in or right before.
    mutating func read(_ source: String) {
        let types = source.matches(of: /(?m)^(?:@Suite.* )?(?:final )?(?:struct|class|actor|enum|extension) (\w+)/)
        for trait in source.matches(of: /\.attack\(([^)]*)\)/) {
            guard let type = types.last(where: { $0.range.lowerBound <= trait.range.lowerBound }) else { continue }
            for name in trait.1.split(whereSeparator: { $0 == "," || $0 == "." || $0.isWhitespace }) {
                guard let attack = Attack(rawValue: String(name)) else { continue }
                suites[attack, default: []].insert(String(type.1))
            }
        }
    }
}
