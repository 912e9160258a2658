// SPDX-License-Identifier: Apache-2.0

/// The loads of the table, by the names that `--only` and `--without` accept. Each load includes what its figures are
/// compared with.
package enum TableLoad: String, Sendable, Hashable, CaseIterable {
    /// Many concurrent users, for the cost of a sign-in and the latencies, with every algorithm.
    case signIn = "sign-in"
    /// Only starts.
    case start
    /// One user at a time, for the latencies of an idle target.
    case one
    /// An open loop at the same rate for every target.
    case rate
    /// Many concurrent users with redemption of every credential, and only redemptions.
    case redeem
    /// The provider with HTTPS, and with plain HTTP for comparison.
    case httpsProvider = "https-provider"
    /// Browsers with TLS and HTTP/2.
    case http2
    /// Browsers on new and resumed connections, TLS 1.3 and HTTP/2.
    case browser
    /// The memory of idle connections of browsers.
    case browserMemory = "browser-memory"
    /// One, 10 and 1,000 providers.
    case providers
    /// 10, 1,000 and 10,000 open idle connections.
    case connections
    /// Logins that are begun and never finished.
    case abandoned

    /// The measurements in order. The steps of one list share a launch of the target. All launches run at the same time
    /// and take turns.
    package var launches: [[TableStep]] {
        switch self {
        case .signIn: [[.signIn]]
        case .start: [[.start]]
        case .one: [[.one]]
        case .rate: [[.capacity, .rate]]
        // Separate launches, because unredeemed credentials occupy memory.
        case .redeem: [[.redeemed], [.redemption]]
        case .httpsProvider: [[.plainProvider], [.httpsProvider]]
        case .http2: [[.http2]]
        // The hybrid group has launches of its own, because targets without it are left out there.
        case .browser:
            [[.newStart, .resumedStart, .browser, .browserKept], [.hybridStart, .hybridBrowser, .oneBrowser]]
        case .browserMemory: [[.idleBrowsers]]
        case .providers: [[.oneProvider], [.tenProviders], [.thousandProviders]]
        case .connections: [[.tenConnections, .thousandConnections, .tenThousandConnections]]
        case .abandoned: [[.abandoned]]
        }
    }

    /// Whether every algorithm is measured instead of only the first.
    package var isForEachAlgorithm: Bool { self == .signIn }

    /// Whether peers are left out, because they support only one provider, have nothing to redeem, or need no
    /// comparison.
    package var isForOursAlone: Bool {
        switch self {
        case .redeem, .providers, .connections, .abandoned: true
        case .signIn, .start, .one, .rate, .httpsProvider, .http2, .browser, .browserMemory: false
        }
    }

    /// Whether one round suffices, because memory does not vary with the speed of the machine.
    package var isOnce: Bool { self == .abandoned || self == .browserMemory }
}
