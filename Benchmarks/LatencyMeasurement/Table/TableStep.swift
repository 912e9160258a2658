// SPDX-License-Identifier: Apache-2.0

/// One measurement of a ``TableLoad``: by it a figure of the table finds what it is made of.
package enum TableStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The usual load.
    case signIn = "sign-in"
    /// Starts alone.
    case start
    /// One user at a time.
    case one
    /// The usual load, for what the target can do.
    case capacity
    /// An open loop at half of that; its rate is not known before.
    case half
    /// Redemptions alone.
    case redemption
    /// Every credential redeemed.
    case redeemed
    /// The provider on plain HTTP, beside ``httpsProvider``.
    case plainProvider = "plain-provider"
    /// The provider on HTTPS.
    case httpsProvider = "https-provider"
    /// Browsers over TLS with HTTP/2.
    case http2
    /// One provider, beside the next two.
    case oneProvider = "1-provider"
    /// 10 providers.
    case tenProviders = "10-providers"
    /// 1,000 providers.
    case thousandProviders = "1000-providers"
    /// 10 connections that stand open.
    case tenConnections = "10-connections"
    /// 1,000 of them.
    case thousandConnections = "1000-connections"
    /// 10,000 of them.
    case tenThousandConnections = "10000-connections"
    /// Starts alone, as many as are asked for.
    case abandoned

    /// How many sign-ins of most loads are redeemed: enough to see that credentials are good, too few to cost.
    package static let sample = 0.01
    /// The most that run at a time in an open loop.
    package static let openConcurrency = 512

    /// What is driven.
    ///
    /// - Parameter usual: The load of a table where nothing else is said.
    package func shape(from usual: LoadShape) -> LoadShape {
        var shape = usual
        shape.redeemed = Self.sample
        switch self {
        case .signIn, .capacity:
            break
        case .redemption:
            shape.extent = .redemption
        case .start, .abandoned:
            shape.extent = .start
            shape.redeemed = 0
        case .one:
            shape.concurrency = 1
        case .half:
            shape.loop = .open
            shape.concurrency = Self.openConcurrency
        case .redeemed:
            shape.redeemed = 1
        case .plainProvider:
            shape.isProviderTLS = false
        case .httpsProvider:
            shape.isProviderTLS = true
        case .http2:
            shape.isTLS = true
            shape.isHTTP2 = true
        case .oneProvider:
            shape.providers = 1
        case .tenProviders:
            shape.providers = 10
        case .thousandProviders:
            shape.providers = 1000
        case .tenConnections:
            shape.idleConnections = 10
        case .thousandConnections:
            shape.idleConnections = 1000
        case .tenThousandConnections:
            shape.idleConnections = 10_000
        }
        return shape
    }
}
