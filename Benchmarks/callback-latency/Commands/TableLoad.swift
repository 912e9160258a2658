// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The loads of the table, by the names that `--load` takes.
enum TableLoad: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Many users at a time: what a sign-in costs, and what they wait.
    case signIn = "sign-in"
    /// Starts alone.
    case start
    /// One user at a time: what somebody waits for an idle target.
    case one
    /// Half of what the target can do, as an open loop.
    case half
    /// Many users at a time, every credential redeemed.
    case redeem

    /// How many sign-ins of the other loads are redeemed: enough to see that credentials are good, too few to cost.
    static let sample = 0.01
    /// The most that run at a time in an open loop.
    static let openConcurrency = 512

    /// Its shape, but for the rate of an open loop.
    func shape(_ options: MeasurementOptions, concurrency: Int, algorithm: SignatureAlgorithm) -> LoadShape {
        switch self {
        case .signIn:
            options.shape(
                .closed, .signIn, concurrency: concurrency, redeemed: Self.sample, algorithm: algorithm)
        case .start:
            options.shape(.closed, .start, concurrency: concurrency, redeemed: 0, algorithm: algorithm)
        case .one:
            options.shape(.closed, .signIn, concurrency: 1, redeemed: Self.sample, algorithm: algorithm)
        case .half:
            options.shape(
                .open, .signIn, concurrency: Self.openConcurrency, redeemed: Self.sample, algorithm: algorithm)
        case .redeem:
            options.shape(.closed, .signIn, concurrency: concurrency, redeemed: 1, algorithm: algorithm)
        }
    }
}
