// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

private let second: Int64 = 1_000_000_000

@Suite struct RedemptionStockTests {
    private let window = MeasurementWindow(begin: 10 * second, end: 13 * second)

    private func values(_ code: String) -> SignInValues {
        SignInValues(state: "s", nonce: "n", subject: "p", code: code)
    }

    @Test func `before the window all users sign in, and shortly before it none begins`() {
        var stock = RedemptionStock(window: window)
        #expect(stock.next(at: 0) == .signIn)
        #expect(stock.next(at: window.begin - RedemptionStock.settling - 1) == .signIn)
        #expect(stock.next(at: window.begin - RedemptionStock.settling) == .wait)
        #expect(stock.next(at: window.begin) == .wait)
        #expect(stock.next(at: stock.opening - 1) == .wait)
    }

    @Test func `in the window each credential is redeemed once, then nothing is left`() {
        var stock = RedemptionStock(window: window)
        stock.keep(values("a"))
        stock.keep(values("b"))
        let seen = [stock.next(at: stock.opening), stock.next(at: stock.opening)]
        #expect(Set(seen) == [.redeem(values("a")), .redeem(values("b"))])
        #expect(stock.next(at: stock.opening) == .rest)
        // A sign-in that ended late.
        stock.keep(values("c"))
        #expect(stock.next(at: window.end - 1) == .redeem(values("c")))
        #expect(stock.next(at: window.end - 1) == .rest)
    }

    /// What users hold is asked for no later than the window lets them.
    @Test func `redemptions begin inside the window`() {
        #expect(window.contains(RedemptionStock(window: window).opening))
    }
}
