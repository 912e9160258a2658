// SPDX-License-Identifier: Apache-2.0

/// A limit on how often something may be done: a row of the table of rates, from which `Limits.md` is made. Each process
/// counts for itself.
package enum RateLimit: Int, CaseIterable, Sendable {
    /// New connections, before TLS.
    case connections
    /// Requests that browsers are sent to.
    case browsers
    /// Those of them that browsers call a part of another site's page (W3C Fetch Metadata).
    case subresources
    /// Requests of apps and SDKs that were refused, or are under way and may be.
    case refusals
    /// Notifications of a provider that were refused, or are being checked and may be.
    case notifications
    /// Those of them that were refused.
    case refusedNotifications
    /// Starts of sign-ins. Anyone can begin one in the name of an app, and must not use up what it may redeem.
    case starts
    /// Choices of a provider that were counted as a start when their page was made.
    case choices
    /// Requests of an app that it authenticates, or that name it.
    case appRequests
    /// Sign-ins with an account, successful or not.
    case signIns
    /// Changes of an account that a session tries.
    case attempts
    /// Changes of an account by sessions of an older sign-in.
    case writes
    /// Changes of an account by sessions of a recent sign-in.
    case recentWrites
    /// Refreshes of a session, successful or not.
    case refreshes
    /// Lookups with an ID token of a session, successful or not.
    case lookups
    /// Lookups of an account by its live sessions.
    case accountLookups
    /// New accounts of a network.
    case newAccountsOfNetwork
    /// New accounts, all together.
    case newAccounts

    /// Who has a bucket.
    package enum Scope: String, Sendable {
        /// A client: an IPv4 address or an IPv6 /64. A /56 has four times and a /48 eight times as much.
        case client = "client; a /56 has 4, a /48 8 times as much"
        /// An IPv4 address and each IPv6 network up to a /48, with the same rate: a part of what all have.
        case network = "IPv4 address, IPv6 /64, /56 and /48"
        /// A client at one provider.
        case clientOfProvider = "client and provider; a /56 has 4, a /48 8 times as much"
        case app
        case login
        case identity = "identity and app; with a native ID token also its network (IPv4 address, IPv6 /48)"
        case session
        case refreshToken = "session and secret"
        case account
        case everybody
    }

    /// How many tokens come.
    package enum Rate: Sendable {
        /// So many a minute, all of which may come at once.
        case perMinute(Int64)
        /// One in so many seconds.
        case onceIn(Int64)
        /// As the owner of the limit sets it; with what it is made from, in words.
        case set(String)
    }

    /// A row of the table.
    package struct Row: Sendable {
        /// What is counted.
        package let counts: String
        /// Who has a bucket.
        package let scope: Scope
        /// How many tokens come.
        package let rate: Rate
        /// What happens to one too many.
        package let excess: String
    }

    /// The row of the table. What one too many receives uses nothing up, so that it may be sent again.
    package var row: Row {
        switch self {
        case .connections:
            Row(
                counts: "new connections, standalone", scope: .network,
                rate: .set(
                    "a quarter of `server.maximum-connections-per-address` a second, at least 16; eight times as many at once"
                ),
                excess: "closed before TLS")
        case .browsers:
            Row(
                counts: "requests that browsers are sent to", scope: .client,
                rate: .set("`server.rate-limit.browser-per-second`, `-burst`"),
                excess: "429 with `Retry-After`: a page, to a script JSON")
        case .subresources:
            Row(
                counts: "those of them that are part of another site's page (Fetch Metadata), which count there too",
                scope: .client, rate: .set("a tenth of that, at least 1 a second"), excess: "as there")
        case .refusals:
            Row(
                counts:
                    "requests of public apps and SDKs that were refused, or are under way; requests of no known app",
                scope: .client, rate: .set("`server.rate-limit.failures-per-second`, `-burst`"),
                excess: "429 with `Retry-After`; on the wire of the SDKs 503, which they take for a network error")
        case .notifications:
            Row(
                counts: "notifications that were refused, or are being checked; one that holds counts no longer",
                scope: .clientOfProvider, rate: .set("as refused requests"), excess: "503 with `Retry-After`")
        case .refusedNotifications:
            Row(
                counts: "those of them that were refused", scope: .clientOfProvider, rate: .set("as refused requests"),
                excess: "429 with `Retry-After`")
        case .starts:
            Row(
                counts: "starts of sign-ins", scope: .app,
                rate: .set("`auth.app.<name>.requests-per-second`; ten times as many at once"),
                excess: "429 page with `Retry-After`")
        case .choices:
            Row(
                counts: "choices of a provider; the first on a page was counted as a start", scope: .login,
                rate: .onceIn(600), excess: "counts as a start")
        case .appRequests:
            Row(
                counts: "requests to token, credential, revoke and UserInfo", scope: .app,
                rate: .set("`auth.app.<name>.requests-per-second`; ten times as many at once"),
                excess: "429 with `Retry-After`")
        case .signIns:
            Row(counts: "sign-ins with an account", scope: .identity, rate: .perMinute(30), excess: Self.toolkit)
        case .attempts:
            Row(
                counts: "changes and deletions of an account that are tried", scope: .session, rate: .perMinute(30),
                excess: Self.toolkit)
        case .writes:
            Row(
                counts: "changes by sessions of an older sign-in", scope: .account, rate: .perMinute(30),
                excess: Self.toolkit)
        case .recentWrites:
            Row(
                counts: "changes by sessions of a recent sign-in", scope: .account, rate: .perMinute(30),
                excess: Self.toolkit)
        case .refreshes:
            Row(counts: "refreshes", scope: .refreshToken, rate: .perMinute(30), excess: Self.toolkit)
        case .lookups:
            Row(
                counts: "lookups, but on the loopback listener", scope: .session, rate: .perMinute(120),
                excess: Self.toolkit)
        case .accountLookups:
            Row(
                counts: "lookups by live sessions, but on the loopback listener", scope: .account,
                rate: .perMinute(600), excess: Self.toolkit)
        case .newAccountsOfNetwork:
            Row(
                counts: "new accounts, but those by a confidential app", scope: .network, rate: .perMinute(60),
                excess: Self.toolkit)
        case .newAccounts:
            Row(counts: "new accounts", scope: .everybody, rate: .perMinute(600), excess: Self.toolkit)
        }
    }

    private static let toolkit = "SDKs: an error that signs nobody out; apps: `temporarily_unavailable`"

    /// The rate that no owner sets; `nil` for one that is set.
    var fixedRate: TokenBucketRate? {
        switch row.rate {
        case .perMinute(let count): TokenBucketRate(perMinute: count)
        case .onceIn(let seconds): TokenBucketRate(onceIn: seconds)
        case .set: nil
        }
    }

    /// The table as Markdown, without marks around it.
    package static var markdown: String {
        var text = "| counted | by | rate | one too many |\n| --- | --- | --- | --- |\n"
        for limit in allCases {
            let row = limit.row
            let rate =
                switch row.rate {
                case .perMinute(let count): "\(count) a minute, all at once"
                case .onceIn(let seconds): "once in \(seconds) s"
                case .set(let words): words
                }
            text += "| \(row.counts) | \(row.scope.rawValue) | \(rate) | \(row.excess) |\n"
        }
        return text
    }
}
