// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Lines one behind the other.
struct LineBatchTests {
    private let lines = ["a\n", "bb\n", "c\n"].map { Array($0.utf8) }

    @Test func `lines stand one behind the other, and the last one can be split off`() {
        var batch = LineBatch(lines)
        #expect(batch.count == 3)
        #expect(batch.bytes == Array("a\nbb\nc\n".utf8))
        let last = batch.splitLast()
        #expect(last == LineBatch([lines[2]]))
        #expect(batch == LineBatch(Array(lines[..<2])))
        _ = batch.splitLast()
        let first = batch.splitLast()
        #expect(first == LineBatch([lines[0]]))
        let none = batch.splitLast()
        #expect(batch == LineBatch() && none == LineBatch())
        batch.removeLast()
        #expect(batch == LineBatch())
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 3)])
    func `a line is whole if all of its bytes are written`(bytes: Int, count: Int) {
        let batch = LineBatch(lines)
        #expect(batch.wholeLines(in: bytes) == count)
        #expect(batch.end(of: batch.wholeLines(in: bytes)) <= bytes)
    }
}
