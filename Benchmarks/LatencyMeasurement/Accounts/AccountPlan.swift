// SPDX-License-Identifier: Apache-2.0

/// The numbers of users, sessions and sign-ins of a measurement of accounts, by which no limit of the server is reached.
///
/// The server allows 600 new accounts a minute, 30 sign-ins a minute of an identity, 30 refreshes and 120 lookups a
/// minute of a session, and 600 lookups a minute of an account. All of a minute may come at once. Each measurement has
/// a server of its own, which has counted nothing yet.
package struct AccountPlan: Sendable, Hashable {
    /// The maximum number of accounts that a measurement makes, together with the checks before it.
    package static let mostAccounts = 550
    /// The maximum number of sign-ins of a user and of refreshes of a session in a load: those of a minute without one
    /// that comes before it, and one in reserve.
    package static let mostUses = 28
    /// The maximum rate of sign-ins beside lookups. It can go on for any time: each user signs in less often than every
    /// other second.
    package static let mostSignInsPerSecond = 200.0
    /// The maximum number of sessions that a user begins before a load of refreshes.
    package static let mostSessions = 25
    /// The number of sessions that a user begins before a load of lookups, which together look up as often as one account
    /// may.
    package static let lookupSessions = 5
    /// The maximum number of lookups of a session in a load.
    package static let mostLookups = 119

    /// More sign-ins and refreshes a second than a server manages, for the supply of a load that lasts some time.
    private static let supposedSignIns = 4000.0
    private static let supposedRefreshes = 10_000.0
    /// The same with RSA keys, whose signatures take 1.7 ms.
    private static let supposedSignatures = 2000.0

    /// The number of users who get an account before the load.
    package let people: Int
    /// The number of sessions that each of them begins before it, the one of the new account included.
    package let sessionsEach: Int
    /// The number of sign-ins of these users that warm the server up, before a load that consists of few operations.
    package let warmUpSignIns: Int
    /// The maximum number of sign-ins in the load.
    package let signIns: Int

    /// Plans a measurement.
    ///
    /// - Parameters:
    ///   - operation: What is measured.
    ///   - seconds: The duration with the warm-up.
    ///   - rate: The sign-ins per second of ``AccountOperation/mixed``, at most ``mostSignInsPerSecond``.
    ///   - algorithm: The algorithm of the ID tokens of accounts, `RS256` or `ES256`.
    package init(_ operation: AccountOperation, seconds: Double, rate: Double = 0, algorithm: String) {
        let seconds = min(max(seconds, 0), 3600)
        let isRSA = algorithm == "RS256"
        var (people, sessionsEach, warmUpSignIns, signIns) = (540, 1, 0, 0)
        switch operation {
        case .lookup:
            sessionsEach = Self.lookupSessions
        case .refresh:
            people = 500
            let refreshes = seconds * (isRSA ? Self.supposedSignatures : Self.supposedRefreshes)
            let sessions = (refreshes / Double(Self.mostUses * people)).rounded(.up)
            sessionsEach = min(max(Int(sessions), 1), Self.mostSessions)
        case .known:
            let most = seconds * (isRSA ? Self.supposedSignatures : Self.supposedSignIns)
            signIns = min(Int(most.rounded(.up)), people * Self.mostUses)
        case .new:
            people = 32
            warmUpSignIns = people * Self.mostUses
            signIns = 500
        case .mixed:
            sessionsEach = Self.lookupSessions
            // A second more, because the load begins before the time is counted.
            signIns = Int(((seconds + 1) * min(max(rate, 0), Self.mostSignInsPerSecond)).rounded(.up))
        }
        self.people = people
        self.sessionsEach = sessionsEach
        self.warmUpSignIns = warmUpSignIns
        self.signIns = signIns
    }
}
