// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import JOSE

/// A file of vectors of Project Wycheproof (https://github.com/C2SP/wycheproof).
///
/// The vectors are not in this repository. WYCHEPROOF_FOLDER is the path of their folder `testvectors_v1`; without it
/// nothing is read, and the tests of them pass. `.ci/run --long` fetches them.
struct WycheproofFile {
    private static let folder = ProcessInfo.processInfo.environment["WYCHEPROOF_FOLDER"]

    let vectors: [WycheproofVector]
    private let name: String

    /// Reads a file; `nil` without a folder.
    /// - Parameter name: The name of the file, without `_test.json`.
    init?(_ name: String) throws {
        guard let folder = Self.folder else { return nil }
        let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)_test.json"))
        let file = try JSONParser.object(Array(data), limits: JSONLimits(maximumBytes: 16_777_216))
        let groups = try #require(file["testGroups"]?.arrayValue).compactMap(\.objectValue)
        self.name = name
        vectors = groups.flatMap { group in
            (group["tests"]?.arrayValue ?? []).compactMap(\.objectValue).map {
                WycheproofVector(group: group, test: $0)
            }
        }
        #expect(file["numberOfTests"]?.integerValue == Int64(vectors.count))
    }

    /// Compares what becomes of each vector with what should.
    /// - Parameters:
    ///   - accepted: The number of vectors that are accepted. With the other number it shows that none is left out.
    ///   - refused: The number of vectors that are refused.
    ///   - isExpected: Whether a vector should be accepted.
    ///   - accepts: Whether a vector is accepted.
    func check(
        accepted: Int, refused: Int, isExpected: (WycheproofVector) -> Bool,
        accepts: (WycheproofVector) throws -> Bool
    ) throws {
        var numbers = [0, 0]
        for vector in vectors {
            let isAccepted = try accepts(vector)
            numbers[isAccepted ? 0 : 1] += 1
            #expect(isAccepted == isExpected(vector), "\(name) \(vector.number): \(vector.comment)")
        }
        #expect(numbers == [accepted, refused], "\(name)")
    }
}
