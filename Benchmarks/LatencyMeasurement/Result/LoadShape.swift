// SPDX-License-Identifier: Apache-2.0

/// The kind and size of a load. Measurements of the same shape can be compared.
package struct LoadShape: Sendable, Hashable, Codable {
    /// The rule that determines when sign-ins begin.
    package enum Loop: String, Sendable, Hashable, Codable, CaseIterable {
        /// When the previous one has ended.
        case closed
        /// At a constant rate.
        case open
    }

    /// The parts of a sign-in in this load.
    package enum Extent: String, Sendable, Hashable, Codable, CaseIterable {
        /// Only the start request; the login is abandoned.
        case start
        /// Start and callback.
        case signIn = "sign-in"
        /// Only the redemption, of sign-ins before the window.
        case redemption
        /// Operations on accounts: ``LoadShape/operation``.
        case accounts

        /// The name of what is counted.
        package var plural: String {
            switch self {
            case .start: "starts"
            case .signIn: "sign-ins"
            case .redemption: "redemptions"
            case .accounts: "operations"
            }
        }
    }

    /// When sign-ins begin.
    package var loop: Loop
    /// The parts of a sign-in.
    package var extent: Extent
    /// The number of concurrent sign-ins; for an open loop the maximum.
    package var concurrency: Int
    /// The arrivals per second; `nil` for a closed loop. In ``AccountOperation/mixed``, those of the sign-ins beside it.
    package var rate: Double?
    /// The share of sign-ins whose credential is redeemed, 0 to 1.
    package var redeemed: Double
    /// The signature algorithm, `RS256` or `ES256`.
    package var algorithm: String
    /// Whether browsers use TLS.
    package var isTLS: Bool
    /// Whether browsers use HTTP/2.
    package var isHTTP2: Bool
    /// Whether the provider uses HTTPS.
    package var isProviderTLS: Bool
    /// The provider's latency for a token request, in milliseconds.
    package var providerLatency: Double
    /// The number of providers in the target's configuration.
    package var providers: Int
    /// The number of additional open, idle connections.
    package var idleConnections: Int
    /// The operation on accounts; `nil` for a load of sign-ins, as in results of older versions.
    package var operation: AccountOperation?
    /// The connections of browsers of their own; `nil` where users keep theirs, as in results of older versions.
    package var browser: BrowserConnections?

    /// Creates a load; by default a closed loop of whole sign-ins with plain HTTP/1.1 on both sides.
    package init(
        loop: Loop = .closed,
        extent: Extent = .signIn,
        concurrency: Int,
        rate: Double? = nil,
        redeemed: Double = 1,
        algorithm: String,
        isTLS: Bool = false,
        isHTTP2: Bool = false,
        isProviderTLS: Bool = false,
        providerLatency: Double = 0,
        providers: Int = 1,
        idleConnections: Int = 0,
        operation: AccountOperation? = nil,
        browser: BrowserConnections? = nil
    ) {
        self.loop = loop
        self.extent = extent
        self.concurrency = concurrency
        self.rate = rate
        self.redeemed = redeemed
        self.algorithm = algorithm
        self.isTLS = isTLS
        self.isHTTP2 = isHTTP2
        self.isProviderTLS = isProviderTLS
        self.providerLatency = providerLatency
        self.providers = providers
        self.idleConnections = idleConnections
        self.operation = operation
        self.browser = browser
    }

    /// The name of what is counted.
    package var plural: String { operation?.plural ?? extent.plural }

    /// The text in a table, which names only differences from the usual load.
    package var title: String {
        var parts = [algorithm]
        switch loop {
        case .closed: parts.append("\(concurrency) at a time")
        case .open: parts.append(rate.map { "\(Figure.rounded($0)) a second, open loop" } ?? "open loop")
        }
        if let operation {
            parts.append("\(extent.rawValue): \(operation.title(rate: rate))")
        } else if extent != .signIn {
            parts.append("\(extent.rawValue) alone")
        }
        if extent == .signIn, redeemed < 1 { parts.append("redeemed \(Figure.percent(redeemed))") }
        if isHTTP2 {
            parts.append("HTTP/2")
        } else if isTLS {
            parts.append("TLS")
        }
        if let browser { parts.append(browser.title(extent)) }
        if isProviderTLS { parts.append("provider on HTTPS") }
        if providerLatency > 0 { parts.append("provider takes \(Figure.rounded(providerLatency)) ms") }
        if providers > 1 { parts.append("\(providers) providers") }
        if idleConnections > 0 { parts.append("\(idleConnections) idle connections") }
        return parts.joined(separator: ", ")
    }
}
