// SPDX-License-Identifier: Apache-2.0

/// What a measurement drove, and how hard: two measurements of the same shape can be compared.
package struct LoadShape: Sendable, Hashable, Codable {
    /// When sign-ins begin.
    package enum Loop: String, Sendable, Hashable, Codable, CaseIterable {
        /// When the one before has ended.
        case closed
        /// At a constant rate.
        case open
    }

    /// What one sign-in consists of here.
    package enum Extent: String, Sendable, Hashable, Codable, CaseIterable {
        /// The start request alone; the login is abandoned.
        case start
        /// Start and callback.
        case signIn = "sign-in"
        /// The redemption alone, of sign-ins that were made before the window.
        case redemption

        /// What is counted.
        package var plural: String {
            switch self {
            case .start: "starts"
            case .signIn: "sign-ins"
            case .redemption: "redemptions"
            }
        }
    }

    /// When sign-ins begin.
    package var loop: Loop
    /// What one consists of.
    package var extent: Extent
    /// How many run at a time; for an open loop at most.
    package var concurrency: Int
    /// Arrivals in a second; nil for a closed loop.
    package var rate: Double?
    /// The share of sign-ins whose credential is redeemed, 0 to 1.
    package var redeemed: Double
    /// `RS256` or `ES256`.
    package var algorithm: String
    /// Whether browsers come over TLS.
    package var isTLS: Bool
    /// Whether browsers speak HTTP/2.
    package var isHTTP2: Bool
    /// Whether the provider speaks HTTPS.
    package var isProviderTLS: Bool
    /// How long the provider takes for a token request, milliseconds.
    package var providerLatency: Double
    /// How many providers the target is configured with.
    package var providers: Int
    /// How many further connections stand open, idle.
    package var idleConnections: Int

    /// The usual load: closed, whole sign-ins, plain HTTP/1.1 on both sides.
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
        idleConnections: Int = 0
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
    }

    /// What stands in a table: only what differs from the usual load is said.
    package var title: String {
        var parts = [algorithm]
        switch loop {
        case .closed: parts.append("\(concurrency) at a time")
        case .open: parts.append(rate.map { "\(Figure.rounded($0)) a second, open loop" } ?? "open loop")
        }
        if extent != .signIn { parts.append("\(extent.rawValue) alone") }
        if extent == .signIn, redeemed < 1 { parts.append("redeemed \(Figure.percent(redeemed))") }
        if isHTTP2 {
            parts.append("HTTP/2")
        } else if isTLS {
            parts.append("TLS")
        }
        if isProviderTLS { parts.append("provider on HTTPS") }
        if providerLatency > 0 { parts.append("provider takes \(Figure.rounded(providerLatency)) ms") }
        if providers > 1 { parts.append("\(providers) providers") }
        if idleConnections > 0 { parts.append("\(idleConnections) idle connections") }
        return parts.joined(separator: ", ")
    }
}
