// SPDX-License-Identifier: Apache-2.0

import SingleUse

/// Values: storing, reading and removing them.
extension SingleUseStoreConformance {
    static var values: [Check] { [stores, storesForAWhile, keepsBytes, removes, storesForAnOwner] }

    private static func stores(_ examination: inout Examination) async throws {
        let (key, other) = (examination.key(1), examination.key(2))
        examination.check(try await examination.read(key) == nil, "A key without a value has none to read.")
        examination.check(try await examination.put(key, [1, 2]) == .stored, "A value is stored.")
        for _ in 0..<2 {
            examination.check(try await examination.read(key) == [1, 2], "Reading leaves a value there.")
        }
        examination.check(try await examination.read(other) == nil, "A key that differs in its last byte is another.")
        examination.check(try await !examination.isClaimed(key), "A value claims nothing.")
        examination.check(try await examination.put(key, [1, 2]) == .stored, "The same value is stored again.")
        examination.check(try await examination.put(key, [3]) == .stored, "A value takes the place of another.")
        examination.check(try await examination.read(key) == [3], "The later value is there.")
        examination.check(try await examination.claim(key) == .won, "A key with a value is claimed like any other.")
        examination.check(try await examination.read(key) == [3], "A claim leaves the value there.")
    }

    private static func storesForAWhile(_ examination: inout Examination) async throws {
        let (ended, live, later) = (examination.key(1), examination.key(2), examination.key(3))
        for key in [ended, later] { _ = try await examination.put(key, [1], for: short) }
        _ = try await examination.put(live, [2])
        _ = try await examination.put(later, [3])
        try await examination.letTimePass()
        examination.check(try await examination.read(ended) == nil, "A value ends with its lifetime.")
        examination.check(
            try await examination.take(ended) == .absent, "A value that has ended is not taken.")
        examination.check(try await !examination.isClaimed(ended), "Taking what has ended claims nothing.")
        examination.check(try await examination.read(live) == [2], "A value that has not ended is there.")
        examination.check(try await examination.read(later) == [3], "A later value has the later lifetime.")
    }

    private static func keepsBytes(_ examination: inout Examination) async throws {
        let values: [[UInt8]] = [[], Array(0...255), Array(repeating: 0, count: SingleUseKey.longestValue)]
        for (number, value) in values.enumerated() {
            let key = examination.key(number)
            examination.check(
                try await examination.put(key, value) == .stored, "A value of \(value.count) bytes is stored.")
            examination.check(
                try await examination.read(key) == value, "A value of \(value.count) bytes is read as it was.")
            examination.check(
                try await examination.take(key).value == value, "A value of \(value.count) bytes is taken as it was.")
        }
        let key = examination.key(10)
        _ = try await examination.put(key, [1])
        let tooLong = [UInt8](repeating: 1, count: SingleUseKey.longestValue + 1)
        examination.check(try await examination.put(key, tooLong) == .full, "A value that is too long is refused.")
        examination.check(try await examination.read(key) == [1], "A value that is refused leaves another there.")
    }

    private static func removes(_ examination: inout Examination) async throws {
        let key = examination.key(1)
        try await examination.remove(key, ifEqual: [1])
        _ = try await examination.put(key, [1])
        try await examination.remove(key, ifEqual: [2])
        examination.check(try await examination.read(key) == [1], "A value is not removed in place of another.")
        try await examination.remove(key, ifEqual: [])
        examination.check(try await examination.read(key) == [1], "A value is not removed in place of an empty one.")
        try await examination.remove(key, ifEqual: [1])
        examination.check(try await examination.read(key) == nil, "A value is removed if it is the given one.")
        examination.check(try await examination.take(key) == .absent, "A value that was removed is not taken.")
        let claimed = examination.key(2)
        _ = try await examination.claim(claimed)
        try await examination.remove(claimed, ifEqual: [])
        examination.check(try await examination.isClaimed(claimed), "Removing a value releases no claim.")
    }

    private static func storesForAnOwner(_ examination: inout Examination) async throws {
        let key = examination.key(1)
        let owner = SingleUseOwner(
            person: examination.key(2), app: examination.key(3), provider: examination.key(4))
        examination.check(try await examination.put(key, [1], owner: owner) == .stored, "An owner's value is stored.")
        examination.check(try await examination.take(key).value == [1], "An owner's value is found by its key.")
    }
}
