// SPDX-License-Identifier: Apache-2.0

/// The loads of the table, by the names that `--only` and `--without` take. Each stands for itself: what a figure is
/// compared with is measured beside it.
package enum TableLoad: String, Sendable, Hashable, CaseIterable {
    /// Many users at a time: what a sign-in costs, and what they wait; with every algorithm.
    case signIn = "sign-in"
    /// Starts alone.
    case start
    /// One user at a time: what somebody waits for an idle target.
    case one
    /// Half of what the target can do, as an open loop.
    case half
    /// Many users at a time, every credential redeemed; and redemptions alone.
    case redeem
    /// The provider on HTTPS, and on plain HTTP beside it.
    case httpsProvider = "https-provider"
    /// Browsers over TLS with HTTP/2.
    case http2
    /// One, 10 and 1,000 providers.
    case providers
    /// 10, 1,000 and 10,000 connections that stand open.
    case connections
    /// Logins that are begun and never finished.
    case abandoned

    /// What is measured, in the order in which it is. The steps of one list share a launch of the target; launches stand
    /// beside each other and take turns.
    package var launches: [[TableStep]] {
        switch self {
        case .signIn: [[.signIn]]
        case .start: [[.start]]
        case .one: [[.one]]
        case .half: [[.capacity, .half]]
        // Not one launch: what nobody has redeemed yet takes memory.
        case .redeem: [[.redeemed], [.redemption]]
        case .httpsProvider: [[.plainProvider], [.httpsProvider]]
        case .http2: [[.http2]]
        case .providers: [[.oneProvider], [.tenProviders], [.thousandProviders]]
        case .connections: [[.tenConnections, .thousandConnections, .tenThousandConnections]]
        case .abandoned: [[.abandoned]]
        }
    }

    /// Whether it is measured with every algorithm, and not with the first alone.
    package var isForEachAlgorithm: Bool { self == .signIn }

    /// Whether peers are left out: they have nothing to redeem or one provider, or the issue asks for no comparison.
    package var isForOursAlone: Bool {
        switch self {
        case .redeem, .providers, .connections, .abandoned: true
        case .signIn, .start, .one, .half, .httpsProvider, .http2: false
        }
    }

    /// Whether once is enough: memory does not drift with the machine's speed.
    package var isOnce: Bool { self == .abandoned }
}
