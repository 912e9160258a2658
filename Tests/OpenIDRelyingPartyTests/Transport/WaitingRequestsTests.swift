// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import OpenIDRelyingPartyNIO
import Testing

@Suite struct WaitingRequestsTests {
    private static let most = WaitingRequests<UInt64>.maximumCount

    @Test func `requests get their turn in their order, and who has left is passed over`() {
        var waiting = WaitingRequests<UInt64>()
        for _ in 1...4 { #expect(waiting.append { $0 }) }
        #expect(waiting.popFirst() == 1)
        #expect(waiting.remove(2) == 2)
        #expect(waiting.remove(2) == nil)
        #expect(waiting.remove(1) == nil)
        #expect(waiting.count == 2)
        #expect(waiting.popFirst() == 3)
        #expect(waiting.removeAll() == [4])
        #expect(waiting.popFirst() == nil)
        #expect(waiting.count == 0)
    }

    @Test func `one more than the most is refused, until one has left`() {
        var waiting = WaitingRequests<UInt64>()
        for _ in 0..<Self.most { #expect(waiting.append { $0 }) }
        #expect(!waiting.append { $0 })
        #expect(waiting.remove(5) == 5)
        #expect(waiting.append { $0 })
        #expect(!waiting.append { $0 })
        #expect(waiting.count == Self.most)
    }

    @Test func `requests that no longer wait are removed eventually`() {
        var waiting = WaitingRequests<UInt64>()
        #expect(waiting.append { $0 })
        for number in UInt64(2)...20_000 {
            #expect(waiting.append { $0 })
            #expect(waiting.remove(number) == number)
            #expect(waiting.placeCount <= 2 * Self.most)
        }
        #expect(waiting.popFirst() == 1)
        #expect(waiting.popFirst() == nil)
    }
}
