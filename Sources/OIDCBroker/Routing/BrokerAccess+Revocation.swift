// SPDX-License-Identifier: Apache-2.0

import Logging
package import NIOCore
import OIDCBrokerRecords
import OpenIDConnect
package import OpenIDRelyingParty

extension BrokerAccess {
    /// Why a provider has revoked nothing. The log says more.
    package enum RevocationError: Error, Sendable, Hashable, CaseIterable {
        /// The code was used, has expired or is another client's, or its grant is another user's.
        case refused
        /// The provider is not available, or does not accept the broker as its client. The same may succeed later.
        case temporary
        /// The provider cannot revoke it.
        case unsupported

        init(_ error: any Error) {
            switch error {
            case let refusal as TokenRevocation.Refusal: self = refusal.isTemporary ? .temporary : .refused
            // The provider announces no endpoint for it, or issued nothing that can be revoked.
            case let error as RelyingPartyError where error.step == .revocation && error.code == .unusableResponse:
                self = .unsupported
            default: self = .temporary
            }
        }
    }
}

extension BrokerAccess.Provider {
    /// The issuer of its ID tokens.
    package var issuer: String { relyingParty.configuration.issuer }

    /// Whether it revokes grants by the authorization codes of native apps: it is Apple, and the broker has its key.
    package var revokesNativeGrants: Bool {
        entry.behavior.exchangesNativeCodes && entry.behavior.revokesNativeTokens
    }

    /// Revokes the grant of an authorization code that a native app received: the code is exchanged, and what it gave
    /// is revoked. No token leaves this function.
    /// - Parameters:
    ///   - code: The code as the app received it.
    ///   - clientID: The client ID of the app at the provider; for Apple its bundle ID.
    ///   - subject: The subject that the ID token of the exchange must have, or nothing is revoked.
    /// - Returns: A future of the request's event loop. It fails with ``BrokerAccess/RevocationError``.
    package func revoke(code: Secret, clientID: String, subject: String) -> EventLoopFuture<Void> {
        guard revokesNativeGrants else { return context.eventLoop.makeFailedFuture(Self.unsupported) }
        return noting(revocation(clientID).revoke(code: code, subject: subject))
    }

    /// Revokes the grant of an access token. The caller knows its owner.
    /// - Parameters:
    ///   - accessToken: The token.
    ///   - clientID: The client ID to which it was issued.
    /// - Returns: A future of the request's event loop. It fails with ``BrokerAccess/RevocationError``.
    package func revoke(accessToken: Secret, clientID: String) -> EventLoopFuture<Void> {
        guard revokesNativeGrants else { return context.eventLoop.makeFailedFuture(Self.unsupported) }
        return noting(revocation(clientID).revoke(accessToken, hint: .accessToken))
    }

    private static var unsupported: BrokerAccess.RevocationError { .unsupported }

    private func revocation(_ clientID: String) -> TokenRevocation {
        TokenRevocation(provider: entry, clientID: clientID, eventLoop: context.eventLoop)
    }

    /// Writes what became of a revocation into the log, and reduces its error to what an extension is told.
    private func noting(_ revocation: Eventual<Void>) -> EventLoopFuture<Void> {
        revocation.flatMapThrowing { note(nil) }.flatMapErrorThrowing { error in
            note(error)
            throw BrokerAccess.RevocationError(error)
        }.future(on: context.eventLoop)
    }

    private func note(_ error: (any Error)?) {
        let (outcome, level, line) = Self.outcome(error)
        let services = context.services
        services.metrics.revocations.increment(id, outcome)
        // Any client with an account can repeat failures.
        let written = line.map { services.line($0, at: .revocation, provider: entry.number) }
        services.audit.record(
            AuditEvent(
                .revoked, outcome: outcome, provider: id, client: context.client, reference: written?.reference))
        if let written, written.metadata == nil { return }
        // Errors of these types contain neither tokens nor codes.
        let detail =
            (error as? RelyingPartyError)?.description ?? (error as? TokenRevocation.Refusal)?.description
        context.logger.log(
            level: level, "\(error == nil ? "token of a user revoked" : "token of a user not revoked")",
            metadata: [
                "auth.outcome": "\(outcome)", "auth.detail": "\(LogText.detail(detail))", "auth.provider": "\(id)",
            ].merging(written?.metadata ?? [:]) { own, _ in own })
    }

    /// The same outcomes and levels as those of the broker's own revocation endpoint.
    private static func outcome(_ error: (any Error)?) -> (name: String, Logger.Level, RepeatableEvent?) {
        switch error {
        case nil: ("revoked", .debug, nil)
        case let refusal as TokenRevocation.Refusal where refusal.isTemporary:
            ("provider_unavailable", .warning, .providerUnavailable)
        case let refusal as TokenRevocation.Refusal where refusal == .notValid: ("not_valid", .info, .otherPerson)
        case is TokenRevocation.Refusal: ("other_person", .info, .otherPerson)
        case let error as RelyingPartyError where error.isTemporary:
            ("provider_unavailable", .warning, .providerUnavailable)
        default: ("failed", .warning, .failedStep)
        }
    }
}
