// SPDX-License-Identifier: Apache-2.0

import Metrics
public import OpenIDRelyingParty
import Synchronization

/// Apple's client secret, made from a key whenever it is needed: a JWT that lives ten minutes and is remade after five.
///
/// One signature for each client id and window, however many ask. The key can be replaced while requests run; the first
/// ask after it gets a secret of the new key. The gauge `auth_apple_client_secret_usable`, with the client id as its
/// dimension, is 1 while secrets are made and taken, and 0 once none can be made or Apple refused one.
public final class AppleClientSecret: ClientSecretSource, CustomStringConvertible, CustomReflectable {
    /// How long a secret lives, seconds.
    package static let lifetime: Int64 = 600

    private let state: Mutex<StateMachine>
    private let audience: String
    private let report: @Sendable (_ clientID: String, _ isUsable: Bool) -> Void

    /// Client secrets for Apple.
    /// - Parameter key: `nil` if only native credentials are verified: whatever needs a secret says so then.
    public convenience init(_ key: AppleKey?) {
        self.init(key, audience: AppleIssuer.issuer)
    }

    /// Client secrets for whoever stands in Apple's place in a test.
    /// - Parameters:
    ///   - audience: the issuer that the secrets are for.
    ///   - lifetime: seconds a secret lives.
    ///   - report: is told when secrets of a client begin or cease to be usable.
    package init(
        _ key: AppleKey?,
        audience: String,
        lifetime: Int64 = AppleClientSecret.lifetime,
        report: @escaping @Sendable (_ clientID: String, _ isUsable: Bool) -> Void = AppleClientSecret.record
    ) {
        state = Mutex(StateMachine(key: key, lifetime: lifetime))
        self.audience = audience
        self.report = report
    }

    /// Takes a new key. Secrets made with the old one are not used again.
    public func replaceKey(_ key: AppleKey) {
        state.withLock { $0.replaceKey(key) }
    }

    /// A secret that Apple accepts now from this client id.
    ///
    /// Signing takes some ten microseconds and happens under the lock: whoever asks in that moment waits for the one
    /// signature in place of making another.
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
                        clientID: clientID, audience: audience, issuedAt: issuedAt, expiry: expiry)
                else {
                    let old = state.failed(clientID: clientID, now: now)
                    let isNews = state.found(clientID: clientID, isUsable: false)
                    return (old.map { .success($0) } ?? .failure(.notSigned), isNews ? false : nil)
                }
                state.signed(secret, clientID: clientID, issuedAt: issuedAt)
                // What Apple refused stays unusable until Apple takes one again or the key is replaced.
                guard state.isUnknown(clientID: clientID) else { return (.success(secret), nil) }
                return (.success(secret), state.found(clientID: clientID, isUsable: true) ? true : nil)
            }
        }
        if let news { report(clientID, news) }
        return try response.get()
    }

    /// What Apple made of a secret: false where it answered `invalid_client`.
    package func clientSecret(forClientID clientID: String, wasAccepted: Bool) {
        let isNews = state.withLock { $0.found(clientID: clientID, isUsable: wasAccepted) }
        if isNews { report(clientID, wasAccepted) }
    }

    public var description: String { "AppleClientSecret" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Sets the gauge.
    @Sendable package static func record(clientID: String, isUsable: Bool) {
        Gauge(label: "auth_apple_client_secret_usable", dimensions: [("client_id", clientID)])
            .record(isUsable ? 1 : 0)
    }
}
