// SPDX-License-Identifier: Apache-2.0

package import Admission
import JOSE

/// An ``AccountLimiter`` in the memory of this process, which gives each identity at an app, account and session token
/// buckets. The rates are constants.
///
/// A bucket holds the tokens of a minute and is filled evenly, so as many operations as in a minute may come at once.
/// At most 100,000 buckets of each limit are kept, in some 10 MB. A full one is forgotten, since it is as if there was
/// none. If there are more that are not full, the fullest is forgotten, and nothing is refused for lack of memory:
/// otherwise many clients could keep all others out. An attacker can make the limiter forget only the buckets of clients
/// that did little; the empty buckets, which limit a client, are forgotten last.
public final class TokenBucketLimiter: AccountLimiter {
    private let rates = Rates()

    /// Creates a limiter that has counted nothing.
    public init() {}

    @discardableResult
    public func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        let (limit, key) = operation.bucket
        return AccountRateDecision(waiting: rates.take(limit, for: key, now: now))
    }

    public func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        let (limit, key) = operation.bucket
        return AccountRateDecision(waiting: rates.wait(limit, for: key, now: now))
    }

    /// The number of buckets of a limit.
    func count(_ limit: RateLimit) -> Int { rates.count(limit) }
}

extension AccountRateDecision {
    /// - Parameter seconds: The time until there is a token, in seconds; `nil` if there is one.
    fileprivate init(waiting seconds: Int64?) {
        self = seconds.map { .wait(seconds: $0) } ?? .proceed
    }
}

extension LimitedAccountOperation {
    /// The limit, and whose bucket it is.
    package var bucket: (limit: RateLimit, key: RateKey) {
        switch self {
        case .signIn(let key, let app, let network):
            var bytes: [UInt8] = []
            for text in [key.issuer, key.subject, app] {
                // Two joined texts could equal two other joined texts; with their lengths they cannot.
                withUnsafeBytes(of: UInt64(text.utf8.count)) { bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: text.utf8)
            }
            return (.signIns, Self.key(bytes + (network ?? [])))
        case .attempt(let session): return (.attempts, Self.key(session))
        case .write(let account, let isRecent):
            return (isRecent ? .recentWrites : .writes, Self.key(Array(account.text.utf8)))
        // The identifier of a session has a fixed length.
        case .refresh(let session, let secretHash): return (.refreshes, Self.key(session.bytes + secretHash))
        case .lookup(let session): return (.lookups, Self.key(session))
        case .lookups(let account): return (.accountLookups, Self.key(Array(account.text.utf8)))
        case .use(let account, let issuedAt):
            return (.lookups, Self.key(Array(account.text.utf8) + [0] + withUnsafeBytes(of: issuedAt, Array.init)))
        case .appRefresh(let session, let secretHash): return (.lookups, Self.key(session.bytes + secretHash))
        case .newAccount: return (.newAccounts, .everybody)
        case .newAccountFrom(let network): return (.newAccountsOfNetwork, Self.key(network))
        }
    }

    private static func key(_ session: AuthenticatedSession) -> RateKey {
        key(session.id.bytes + Array(session.account.text.utf8))
    }

    private static func key(_ bytes: [UInt8]) -> RateKey { RateKey(Hash.sha256(bytes)) }
}
