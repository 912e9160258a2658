// SPDX-License-Identifier: Apache-2.0

/// A measurement of a ``TableLoad``, by which a figure of the table finds its measurements.
package enum TableStep: String, Sendable, Hashable, Codable, CaseIterable {
    /// The usual load.
    case signIn = "sign-in"
    /// Only starts.
    case start
    /// One user at a time.
    case one
    /// The usual load, to measure the target's capacity.
    case capacity
    /// An open loop at a rate that the table names.
    case rate
    /// Only redemptions.
    case redemption
    /// Sign-ins with redemption of every credential.
    case redeemed
    /// The provider with plain HTTP, for comparison with ``httpsProvider``.
    case plainProvider = "plain-provider"
    /// The provider with HTTPS.
    case httpsProvider = "https-provider"
    /// Browsers with TLS and HTTP/2.
    case http2
    /// Starts of browsers, each on a new connection.
    case newStart = "browser-start"
    /// Starts of browsers, each on a resumed connection.
    case resumedStart = "browser-start-resumed"
    /// Sign-ins of browsers: the start on a new connection, the callback on a resumed one, every credential redeemed.
    case browser
    /// The same with the callback on the connection of the start.
    case browserKept = "browser-kept"
    /// ``newStart`` with the hybrid group.
    case hybridStart = "browser-start-hybrid"
    /// ``browser`` with the hybrid group.
    case hybridBrowser = "browser-hybrid"
    /// The same, one browser at a time.
    case oneBrowser = "browser-one"
    /// Connections of browsers that stand open after a start.
    case idleBrowsers = "browser-idle"
    /// One provider, for comparison with the next two.
    case oneProvider = "1-provider"
    /// 10 providers.
    case tenProviders = "10-providers"
    /// 1,000 providers.
    case thousandProviders = "1000-providers"
    /// 10 open idle connections.
    case tenConnections = "10-connections"
    /// 1,000 open idle connections.
    case thousandConnections = "1000-connections"
    /// 10,000 open idle connections.
    case tenThousandConnections = "10000-connections"
    /// Only starts, as many as requested.
    case abandoned

    /// The share of sign-ins in most loads that are redeemed: enough to check the credentials, too few to affect the
    /// cost.
    package static let sample = 0.01
    /// The maximum number of concurrent sign-ins in an open loop.
    package static let openConcurrency = 512
    /// The number of idle connections whose memory is measured.
    package static let idleCount = 10_000

    /// Returns the load of the step.
    ///
    /// - Parameter usual: The usual load of the table.
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
        case .rate:
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
        case .newStart, .resumedStart, .browser, .browserKept, .hybridStart, .hybridBrowser, .oneBrowser, .idleBrowsers:
            browse(&shape)
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

    /// Makes a load one of browsers.
    private func browse(_ shape: inout LoadShape) {
        shape.isTLS = true
        shape.isHTTP2 = true
        shape.redeemed = 1
        switch self {
        case .newStart, .hybridStart, .idleBrowsers, .resumedStart:
            shape.extent = .start
            shape.redeemed = 0
        default: break
        }
        if self == .oneBrowser || self == .idleBrowsers { shape.concurrency = 1 }
        if self == .idleBrowsers { shape.idleConnections = Self.idleCount }
        let isHybrid = self == .hybridStart || self == .hybridBrowser || self == .oneBrowser
        shape.browser = BrowserConnections(
            group: isHybrid ? .x25519MLKEM768 : .x25519, start: self == .resumedStart ? .resumed : .new,
            callback: self == .browserKept ? .kept : .resumed)
    }
}
