// SPDX-License-Identifier: Apache-2.0

/// Runs of combining marks: text whose comparison by canonical equivalence is quadratic in the length of the run.
package enum CombiningMarks {
    /// Six marks of six combining classes, highest first, so that sorting them moves every one of them: U+0345, U+0301,
    /// U+0316, U+031B, U+0327, U+05B0. Two bytes each.
    private static let marks: [[UInt8]] = [
        [0xCD, 0x85], [0xCC, 0x81], [0xCC, 0x96], [0xCC, 0x9B], [0xCC, 0xA7], [0xD6, 0xB0],
    ]

    /// Returns a run as UTF-8, in six groups.
    ///
    /// - Parameter byteCount: The maximum number of bytes. The run is up to eleven bytes shorter.
    package static func utf8(byteCount: Int) -> [UInt8] {
        let each = max(byteCount, 0) / (2 * marks.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(each * 2 * marks.count)
        for mark in marks {
            for _ in 0..<each { bytes.append(contentsOf: mark) }
        }
        return bytes
    }

    /// Returns the same run with every byte percent-encoded, three times as long (RFC 3986 section 2.1).
    ///
    /// - Parameter byteCount: The maximum number of bytes after encoding.
    package static func percentEncoded(byteCount: Int) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return utf8(byteCount: byteCount / 3).flatMap { byte in
            [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
