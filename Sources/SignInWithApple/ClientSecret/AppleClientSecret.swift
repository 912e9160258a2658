// SPDX-License-Identifier: Apache-2.0

public import Metrics
public import OpenIDRelyingParty
import Synchronization

/// A source of Apple client secrets: JWTs with a lifetime of ten minutes that are signed when they are needed and
/// renewed after five minutes.
///
/// There is one signature for each client ID and period, whatever the number of requests. The key can be replaced while
/// requests run, and the next request then gets a secret signed with the new key. The gauge
/// `auth_apple_client_secret_usable`, whose dimension is the client ID, is 1 while secrets can be signed and are
/// accepted, and 0 once none can be signed or Apple has refused one.
public final class AppleClientSecret: ClientSecretSource, CustomStringConvertible, CustomReflectable {
    /// The lifetime of a secret, in seconds.
    package static let lifetime: Int64 = 600

    private let state: Mutex<StateMachine>
    private let audience: String
    private let report: @Sendable (_ clientID: String, _ isUsable: Bool) -> Void
    /// What ``report`` records in; `nil` if it is something else.
    private let gauges: UsableSecretGauges?

    /// Creates a source of client secrets for Apple.
    /// - Parameters:
    ///   - key: The key to sign with; `nil` if only native credentials are verified. Without a key, requests for a
    ///     secret fail.
    ///   - metricsFactory: What makes the gauge; `nil` for the one that `MetricsSystem` is bootstrapped with.
    public convenience init(_ key: AppleKey?, metricsFactory: (any MetricsFactory)? = nil) {
        self.init(key, audience: AppleIssuer.issuer, metricsFactory: metricsFactory)
    }

    /// Creates a source of client secrets for Apple or a mock of it.
    /// - Parameters:
    ///   - key: The key to sign with; `nil` if there is none.
    ///   - audience: The issuer for which the secrets are made.
    ///   - metricsFactory: What makes the gauge; `nil` for the one that `MetricsSystem` is bootstrapped with.
    package convenience init(_ key: AppleKey?, audience: String, metricsFactory: (any MetricsFactory)? = nil) {
        let gauges = UsableSecretGauges(factory: metricsFactory)
        self.init(key, audience: audience, lifetime: Self.lifetime, gauges: gauges) {
            gauges.record(clientID: $0, isUsable: $1)
        }
    }

    /// Creates a source of client secrets without a gauge.
    /// - Parameters:
    ///   - key: The key to sign with; `nil` if there is none.
    ///   - audience: The issuer for which the secrets are made.
    ///   - lifetime: The lifetime of a secret, in seconds.
    ///   - report: A closure that is called when the secrets of a client become usable or unusable.
    package convenience init(
        _ key: AppleKey?,
        audience: String,
        lifetime: Int64 = AppleClientSecret.lifetime,
        report: @escaping @Sendable (_ clientID: String, _ isUsable: Bool) -> Void
    ) {
        self.init(key, audience: audience, lifetime: lifetime, gauges: nil, report: report)
    }

    private init(
        _ key: AppleKey?, audience: String, lifetime: Int64, gauges: UsableSecretGauges?,
        report: @escaping @Sendable (_ clientID: String, _ isUsable: Bool) -> Void
    ) {
        state = Mutex(StateMachine(key: key, lifetime: lifetime))
        self.audience = audience
        self.gauges = gauges
        self.report = report
    }

    /// Replaces the key. Secrets made with the old one are not used again.
    public func replaceKey(_ key: AppleKey) {
        state.withLock { $0.replaceKey(key) }
    }

    /// Forgets what is known about clients that the configuration no longer has. Requests under way still get secrets
    /// for them, but nothing is reported of these, until ``restore(_:)``. It destroys no gauge: others may have recorded
    /// in it too.
    package func retire(_ clientIDs: Set<String>) {
        state.withLock { $0.retire(clientIDs) }
        gauges?.drop(clientIDs)
    }

    /// Reports of clients again that the configuration has once more.
    package func restore(_ clientIDs: Set<String>) {
        state.withLock { $0.restore(clientIDs) }
    }

    /// Destroys the gauges of clients, whichever source recorded in them. Call it after ``retire(_:)`` of each source
    /// that may still be asked: one that holds a gauge would record where it is not read.
    /// - Parameters:
    ///   - clientIDs: The clients.
    ///   - metricsFactory: What made the gauges; `nil` for the one that `MetricsSystem` is bootstrapped with by now.
    package static func destroyGauges(of clientIDs: Set<String>, metricsFactory: (any MetricsFactory)? = nil) {
        UsableSecretGauges.destroy(clientIDs, factory: metricsFactory)
    }

    /// Returns a secret that Apple currently accepts for a client ID.
    ///
    /// Signing is fast and happens under the lock, so that concurrent callers wait for one signature rather than each
    /// making their own.
    /// - Throws: ``AppleKeyError/notConfigured`` or ``AppleKeyError/notSigned``.
    package func clientSecret(forClientID clientID: String, now: Int64) throws -> Secret {
        let (response, news) = state.withLock { state -> (Result<Secret, AppleKeyError>, Bool?) in
            switch state.ask(clientID: clientID, now: now) {
            case .use(let secret):
                return (.success(secret), nil)
            case .fail:
                return (.failure(.notConfigured), state.found(clientID: clientID, isUsable: false) ? false : nil)
            case .sign(let key, let issuedAt, let expiry):
                guard
                    let secret = try? key.clientSecret(
                        clientID: clientID, audience: audience, now: issuedAt, expiry: expiry)
                else {
                    let old = state.failed(clientID: clientID, now: now)
                    let isNews = state.found(clientID: clientID, isUsable: false)
                    return (old.map { .success($0) } ?? .failure(.notSigned), isNews ? false : nil)
                }
                state.signed(secret, clientID: clientID, issuedAt: issuedAt)
                // After Apple refused a secret, they count as unusable until Apple accepts one or the key is replaced.
                guard state.isUnknown(clientID: clientID) else { return (.success(secret), nil) }
                return (.success(secret), state.found(clientID: clientID, isUsable: true) ? true : nil)
            }
        }
        if let news { report(clientID, news) }
        return try response.get()
    }

    /// Records whether Apple accepted a secret. It is `false` if Apple responded with `invalid_client`.
    package func clientSecret(forClientID clientID: String, wasAccepted: Bool) {
        let isNews = state.withLock { $0.found(clientID: clientID, isUsable: wasAccepted) }
        if isNews { report(clientID, wasAccepted) }
    }

    public var description: String { "AppleClientSecret" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
