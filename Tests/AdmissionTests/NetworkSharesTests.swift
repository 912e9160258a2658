// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// What clients hold of one thing.
struct NetworkSharesTests {
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test func `a bound of a network and that of all are told apart, and what is refused counts nowhere`() throws {
        var shares = NetworkShares()
        let (first, second) = (try address("192.0.2.1"), try address("192.0.2.2"))
        #expect(shares.take(6, for: first, of: 10, share: 6) == nil)
        #expect(shares.take(1, for: first, of: 10, share: 6) == .network)
        #expect(shares.take(5, for: second, of: 10, share: 6) == .total)
        #expect(shares.take(4, for: second, of: 10, share: 6) == nil)
        #expect(shares.take(1, for: nil, of: 10, share: 6) == .total)
        #expect(shares.total == 10 && shares.networkCount == 2)
        shares.giveBack(6, for: first)
        shares.giveBack(4, for: second)
        #expect(shares.total == 0 && shares.networkCount == 0)
    }

    @Test(arguments: [(56, 4), (48, 8)])
    func `a larger IPv6 network has so many shares of a /64`(length: Int, factor: Int) throws {
        var shares = NetworkShares()
        var count = 0
        for number in 0..<64 {
            let group = String(number << (length == 56 ? 0 : 8), radix: 16)
            if shares.take(1, for: try address("2001:db8:0:\(group)::1"), of: 1000, share: 1) == nil { count += 1 }
        }
        #expect(count == factor && shares.total == factor)
    }

    @Test func `who is not known counts in the total alone, and a share may be larger than any number`() throws {
        var shares = NetworkShares()
        #expect(shares.take(7, for: nil, of: 10, share: 1) == nil)
        #expect(shares.take(3, for: try address("2001:db8::1"), of: 10, share: .max) == nil)
        #expect(shares.total == 10 && shares.networkCount == 3)
        // More than is held is never given back.
        shares.giveBack(20, for: nil)
        #expect(shares.total == 0)
    }
}
