// SPDX-License-Identifier: Apache-2.0

/// A limit on how often something may be done, and a row of the table of rates in `Limits.md`, which is made from this
/// type. Whatever a row counts takes one token from its bucket. Each process counts on its own.
package enum RateLimit: Int, CaseIterable, Sendable {
    /// New connections, before TLS.
    case connections
    /// Requests of browsers: starts, choices, callbacks, logouts, in-process logins, sign-ins through the SDKs,
    /// and paths that do not exist, since a page may be made for them.
    case browsers
    /// Those that load part of another site's page, as the browser says (W3C Fetch Metadata).
    case subresources
    /// Requests of apps and SDKs that were refused, or are under way and may still be.
    case refusals
    /// Notifications of a provider that were refused or could not be checked, or are being checked.
    case notifications
    /// The notifications among them that were refused.
    case refusedNotifications
    /// Starts of sign-ins. They are apart from ``appRequests``: anyone can start a sign-in in the name of an app, and
    /// must not use up the requests of the app itself.
    case starts
    /// Choices of a provider. The page with the providers counted as a start, so one choice on it does not.
    case choices
    /// Requests of an app to the broker: those that it authenticates, and those of a public app, which name it.
    case appRequests
    /// Sign-ins with an account, successful or not.
    case signIns
    /// Attempts of a session to change or delete its account.
    case attempts
    /// Changes of an account by sessions whose sign-in is not recent.
    case writes
    /// Changes of an account by sessions whose sign-in is recent.
    case recentWrites
    /// Refreshes of a session, successful or not.
    case refreshes
    /// Lookups with an ID token of a session, or uses of an access token, successful or not.
    case lookups
    /// Lookups of an account by its live sessions.
    case accountLookups
    /// New accounts from a network.
    case newAccountsOfNetwork
    /// All new accounts.
    case newAccounts

    /// What has a bucket of its own.
    package enum Scope: String, Sendable {
        /// A client: an IPv4 address or an IPv6 /64. A /56 has four times as much, and a /48 eight times.
        case client = "client; a /56 has 4 times as much, a /48 8 times"
        /// An IPv4 address, and each IPv6 /64, /56 and /48, all at the same rate: a fraction of what all clients have.
        case network = "network: IPv4 address, IPv6 /64, /56 and /48 alike"
        /// A client at one provider.
        case clientOfProvider = "client and provider; a /56 has 4 times as much, a /48 8 times"
        case app
        case login
        case identity = "identity and app; for a native ID token also network (IPv4 address, IPv6 /48)"
        case session
        case refreshToken = "session and secret"
        case account
        /// All clients together.
        case everybody = "process"
    }

    /// How fast tokens come.
    package enum Rate: Sendable {
        /// A number of tokens each minute. A full bucket has as many.
        case perMinute(Int64)
        /// One token each time this number of seconds has passed.
        case onceIn(Int64)
        /// A rate that the owner of the limit sets, with words that say what it comes from.
        case set(String)
    }

    /// A row of the table.
    package struct Row: Sendable {
        /// What is counted.
        package let counts: String
        /// What has a bucket of its own.
        package let scope: Scope
        /// How fast tokens come.
        package let rate: Rate
        /// What happens over the rate.
        package let excess: String
    }

    /// The row of the table. A request over the rate uses nothing up, so it may be sent again.
    package var row: Row {
        switch self {
        case .connections:
            Row(
                counts: "new connections, standalone", scope: .network,
                rate: .set(
                    "a quarter of `server.maximum-connections-per-address` a second, at least 16; 8 times that at once"
                ),
                excess: "closed before TLS")
        case .browsers:
            Row(
                counts:
                    "browser requests: authorize, choose, continue, callbacks, logout, in-process and SDK sign-ins, unknown paths",
                scope: .client, rate: .set("`server.rate-limit.browser-per-second`, `-burst`"),
                excess: "429 with `Retry-After`: a page, or JSON for a script")
        case .subresources:
            Row(
                counts: "those that load part of another site's page (Fetch Metadata), which also count above",
                scope: .client, rate: .set("a tenth of the row above, at least 1 a second"), excess: "as above")
        case .refusals:
            Row(
                counts:
                    "requests of public apps and SDKs, under way or refused; requests refused before the app is known",
                scope: .client, rate: .set("`server.rate-limit.failures-per-second`, `-burst`"),
                excess: "429 with `Retry-After`; for SDKs 503, which they take for a network error")
        case .notifications:
            Row(
                counts: "notifications; a valid one stops counting once it is checked", scope: .clientOfProvider,
                rate: .set("`server.rate-limit.failures-per-second`, `-burst`"), excess: "503 with `Retry-After`")
        case .refusedNotifications:
            Row(
                counts: "refused notifications", scope: .clientOfProvider,
                rate: .set("`server.rate-limit.failures-per-second`, `-burst`"),
                excess: "429 with `Retry-After` instead of the 503 above")
        case .starts:
            Row(
                counts: "starts of sign-ins", scope: .app,
                rate: .set("`auth.app.<name>.requests-per-second`; ten times as many at once"),
                excess: "a page with 429 and `Retry-After`")
        case .choices:
            Row(
                counts: "choices of a provider, whose page counted as a start", scope: .login,
                rate: .onceIn(600), excess: "counts as a further start")
        case .appRequests:
            Row(
                counts: "requests to token, credential, revoke and UserInfo", scope: .app,
                rate: .set("`auth.app.<name>.requests-per-second`; ten times as many at once"),
                excess: "429 with `Retry-After`")
        case .signIns:
            Row(counts: "sign-ins with an account", scope: .identity, rate: .perMinute(30), excess: Self.toolkit)
        case .attempts:
            Row(
                counts: "attempts to change or delete an account", scope: .session, rate: .perMinute(30),
                excess: Self.toolkit)
        case .writes:
            Row(
                counts: "changes by sessions whose sign-in is not recent", scope: .account, rate: .perMinute(30),
                excess: Self.toolkit)
        case .recentWrites:
            Row(
                counts: "changes by sessions whose sign-in is recent", scope: .account, rate: .perMinute(30),
                excess: Self.toolkit)
        case .refreshes:
            Row(counts: "refreshes", scope: .refreshToken, rate: .perMinute(30), excess: Self.toolkit)
        case .lookups:
            Row(
                counts: "lookups, except on the loopback listener; uses of an access token; refreshes of an app",
                scope: .session,
                rate: .perMinute(120),
                excess: Self.toolkit)
        case .accountLookups:
            Row(
                counts: "lookups by live sessions, except on the loopback listener", scope: .account,
                rate: .perMinute(600), excess: Self.toolkit)
        case .newAccountsOfNetwork:
            Row(
                counts: "new accounts, except those of a confidential app", scope: .network, rate: .perMinute(60),
                excess: Self.toolkit)
        case .newAccounts:
            Row(counts: "new accounts", scope: .everybody, rate: .perMinute(600), excess: Self.toolkit)
        }
    }

    private static let toolkit = "SDKs get an error that ends no session, apps `temporarily_unavailable`"

    /// The constant rate; `nil` for a rate that the owner sets.
    var fixedRate: TokenBucketRate? {
        switch row.rate {
        case .perMinute(let count): TokenBucketRate(perMinute: count)
        case .onceIn(let seconds): TokenBucketRate(onceIn: seconds)
        case .set: nil
        }
    }

    /// The table as Markdown, without marks around it.
    package static var markdown: String {
        var text = "| what counts | counted per | rate | over the rate |\n| --- | --- | --- | --- |\n"
        for limit in allCases {
            let row = limit.row
            let rate =
                switch row.rate {
                case .perMinute(let count): "\(count) a minute, which may all come at once"
                case .onceIn(let seconds): "one in \(seconds) s"
                case .set(let words): words
                }
            text += "| \(row.counts) | \(row.scope.rawValue) | \(rate) | \(row.excess) |\n"
        }
        return text
    }
}
