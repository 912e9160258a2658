// SPDX-License-Identifier: Apache-2.0

/// The supply of a load that consists only of redemptions: credentials that are issued before the window and redeemed
/// in it.
///
/// No sign-in begins in between, so that none counts in the window. It has no clock and no threads.
package struct RedemptionStock: Sendable {
    /// The next action of a user.
    package enum Step: Sendable, Hashable {
        /// Sign in to add a credential.
        case signIn
        /// Wait until ``RedemptionStock/opening``.
        case wait
        /// Redeem this credential.
        case redeem(SignInValues)
        /// Do nothing, since no credential is left.
        case rest
    }

    /// The time before the window at which the last sign-in begins, in nanoseconds.
    package static let settling: Int64 = 150_000_000
    /// The time between the beginning of the window and the first redemption in nanoseconds, in which usage is sampled.
    package static let delay: Int64 = 20_000_000

    /// The time at which redemptions begin.
    package let opening: Int64

    private let closing: Int64
    private var stock: [SignInValues] = []

    /// Creates an empty stock for a window.
    package init(window: MeasurementWindow) {
        closing = window.begin - Self.settling
        opening = window.begin + Self.delay
    }

    /// Returns the next action of an idle user.
    package mutating func next(at now: Int64) -> Step {
        if now < closing { return .signIn }
        if now < opening { return .wait }
        return stock.popLast().map { .redeem($0) } ?? .rest
    }

    /// Adds the credential of a sign-in.
    package mutating func keep(_ values: SignInValues) {
        stock.append(values)
    }
}
