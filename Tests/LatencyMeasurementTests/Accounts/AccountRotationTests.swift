// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct AccountRotationTests {
    @Test func `each is used in turn, and no more often than it may be`() {
        var rotation = AccountRotation(count: 3, allowance: 2)
        let used = (0..<6).map { _ in rotation.next() }
        #expect(used == [0, 1, 2, 0, 1, 2])
        #expect(rotation.isExhausted)
        #expect(rotation.next() == nil)
    }

    @Test func `without a limit it goes on`() {
        var rotation = AccountRotation(count: 2, allowance: nil)
        let used = (0..<1000).map { _ in rotation.next() }
        #expect(used.last == 1)
        #expect(!rotation.isExhausted)
        #expect(rotation.usedShare == 0)
    }

    @Test func `the share is of what is allowed`() {
        var rotation = AccountRotation(count: 5, allowance: 2)
        #expect(rotation.usedShare == 0)
        for _ in 0..<5 { _ = rotation.next() }
        #expect(rotation.usedShare == 0.5)
    }

    @Test(arguments: [(0, nil), (0, 3), (-1, nil), (3, 0), (3, -1)] as [(Int, Int?)])
    func `of nothing there is nothing`(count: Int, allowance: Int?) {
        var rotation = AccountRotation(count: count, allowance: allowance)
        #expect(rotation.isExhausted)
        #expect(rotation.next() == nil)
    }
}
