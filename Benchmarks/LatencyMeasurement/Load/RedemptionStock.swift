// SPDX-License-Identifier: Apache-2.0

/// What a load of redemptions alone lives on: credentials that were handed out before the window, and are redeemed in it.
///
/// Between the two nothing begins, so that the window pays for no sign-in. Without a clock and without threads.
package struct RedemptionStock: Sendable {
    /// What a user does next.
    package enum Step: Sendable, Hashable {
        /// Signs in, for the stock.
        case signIn
        /// Waits until ``RedemptionStock/opening``.
        case wait
        /// Redeems this.
        case redeem(SignInValues)
        /// Nothing, since nothing is left.
        case rest
    }

    /// How long before the window the last sign-in begins, nanoseconds.
    package static let settling: Int64 = 150_000_000
    /// How long after the window's begin redemptions do, so that what was used before has been read; nanoseconds.
    package static let delay: Int64 = 20_000_000

    /// When redemptions begin.
    package let opening: Int64

    private let closing: Int64
    private var stock: [SignInValues] = []

    /// An empty stock for a window.
    package init(window: MeasurementWindow) {
        closing = window.begin - Self.settling
        opening = window.begin + Self.delay
    }

    /// What somebody does who has nothing to do.
    package mutating func next(at now: Int64) -> Step {
        if now < closing { return .signIn }
        if now < opening { return .wait }
        return stock.popLast().map { .redeem($0) } ?? .rest
    }

    /// A sign-in has ended with a credential.
    package mutating func keep(_ values: SignInValues) {
        stock.append(values)
    }
}
