// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The endpoint at which an app revokes a user's grant at the provider (`POST revoke`), for example when a user deletes
/// their account, or ends a token of the broker itself (RFC 7009). No token of the broker is sent to a provider.
///
/// A public app, as which any client can act, must also present an ID token that the broker issued minutes ago, and only
/// tokens of that user are revoked.
struct RevocationEndpoint: RequestHandling {
    /// The maximum length of a token, in bytes.
    static let longestToken = 16_384
    /// The maximum age of the ID token by which a public app proves who the user is, in seconds, however long it is valid.
    static let maximumTokenAge: Int64 = 300

    let context: RequestContext

    /// The token or code to revoke.
    private enum Subject {
        case token(Secret, TokenTypeHint?)
        case code(Secret)
    }

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        AppAuthentication(context: context, requests: .revocations).respond(to: request) {
            form, app throws(TokenError) in
            if let text = FormBody.value("token", form) {
                if let token = snapshot.accessToken(text) { return try end(token, of: app) }
                if text.utf8.starts(with: IssuedTokenPrefix.refreshToken.utf8) {
                    return end(refreshToken: text, of: app)
                }
                // It no longer belongs to the broker, and a provider is asked only if the app says so.
                guard Self.names(aProvider: form), !snapshot.isOwn(text) else { return .value(Self.unknown) }
            }
            return try revoke(form, app)
        }
    }

    /// The outcome of what was revoked.
    static let revoked = "revoked"

    /// The response without a body (RFC 7009 section 2.2). It has no type, since oidc-client-ts refuses any but that of JSON.
    private static var done: BrokerResponse {
        var response = BrokerResponse.plain(status: .ok, "")
        response.head.headerFields[.contentType] = nil
        return response
    }

    /// The response about a token that is not known.
    private static var unknown: BrokerResponse { done.noting(revoked) }

    /// Whether a form is about a token or a code of a provider.
    private static func names(aProvider form: Parameters) -> Bool {
        ["provider", "audience", "code", "id_token"].contains { form.hasValue($0) }
    }

    /// Ends the session of a refresh token of the broker itself, with all its refresh tokens.
    private func end(refreshToken: WireText, of app: AppEntry) -> Eventual<BrokerResponse> {
        guard let sessions = snapshot.extensions.sessions,
            let text = refreshToken.visibleASCII(atMost: Self.longestToken)
        else { return .value(Self.unknown) }
        let ended = sessions.end(
            refreshToken: text, of: app.clientID, for: app.isPublic ? context.client : nil, on: eventLoop)
        return Eventual<String?>.future(ended.hop(to: eventLoop)).flatMapThrowing { account in
            guard let account else { return Self.unknown }
            metrics.revocations.increment(BrokerMetrics.none, Self.revoked)
            audit.record(
                AuditEvent(
                    .revoked, outcome: Self.revoked, app: app.configuration.name, client: context.client,
                    account: account))
            return Self.unknown
        }.recover { error in
            logUnavailableAccounts(error, app: app, at: .revocation, message: "refresh token not revoked")
            return TokenError.unavailable.response
        }
    }

    /// Ends an access token of the broker itself, which no provider is asked about (RFC 7009 section 2.1).
    private func end(_ token: AccessToken, of app: AppEntry) throws(TokenError) -> Eventual<BrokerResponse> {
        guard WireText(token.clientID).hasSameBytes(as: app.clientID) else {
            throw TokenError("invalid_grant", "The token belongs to another app.")
        }
        let unavailable = TokenError.unavailable.response
        let now = services.clock.now()
        // It is invalid already, and a claim for it would take the room of one that is needed (RFC 7009 section 2.2).
        guard token.isCurrent(at: now) else {
            return .value(Self.unknown)
        }
        return end(accessToken: token.id, of: app, seconds: token.expiry - now).flatMapThrowing {
            isEnded in
            guard isEnded else { return unavailable }
            metrics.revocations.increment(BrokerMetrics.none, Self.revoked)
            audit.record(
                AuditEvent(.revoked, outcome: Self.revoked, app: app.configuration.name, client: context.client))
            return Self.unknown
        }.recover { _ in unavailable }
    }

    private func revoke(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> Eventual<BrokerResponse> {
        let issued = try app.isPublic ? issuedIDToken(form, app) : nil
        let name = FormBody.value("provider", form) ?? issued.map { WireText($0.provider) }
        let provider = try snapshot.provider(name, of: app)
        // Nothing is revoked for a user of another provider.
        if let issued, !issued.isOf(provider) { throw Self.notProven }
        let subject = try self.subject(form)
        let revocation = TokenRevocation(
            provider: provider, clientID: try self.clientID(form, app, provider, subject), eventLoop: eventLoop,
            trace: trace(of: provider))
        try validate(subject, of: issued)
        // Any user can send such requests as a public app, and each results in a request from the broker to the
        // provider.
        guard app.isPublic else { return revoke(subject, by: revocation, of: issued, app) }
        return services.clients.run(.revocation, for: context.client, at: provider) {
            revoke(subject, by: revocation, of: issued, app, for: context.client)
        } refusal: { excess in
            log(nil, provider, app, excess: excess, TokenError.tooManyRequests(retryAfter: excess.retryAfter))
        }
    }

    private func revoke(
        _ subject: Subject, by revocation: TokenRevocation, of issued: IssuedIDToken?, _ app: AppEntry,
        for client: IPAddress? = nil
    ) -> Eventual<BrokerResponse> {
        let provider = revocation.provider
        return revoke(subject, by: revocation, of: issued).flatMapThrowing {
            services.clients.succeeded(.revocation, for: client, at: provider)
            return log(nil, provider, app, of: issued, Self.done)
        }.recover { error in
            // The client does not cause the failure of an unavailable provider.
            if (error as? RelyingPartyError)?.transportError?.isConnectionFailure != true {
                services.clients.failed(.revocation, for: client, at: provider)
            }
            return log(error, provider, app, of: issued, Self.error(error).response)
        }
    }

    private func validate(_ subject: Subject, of issued: IssuedIDToken?) throws(TokenError) {
        guard issued != nil, case .token(_, .accessToken?) = subject else { return }
        throw TokenError(
            "unsupported_token_type", "An access token does not say whose it is: send the refresh token or a code.")
    }

    private func revoke(
        _ subject: Subject, by revocation: TokenRevocation, of issued: IssuedIDToken?
    ) -> Eventual<Void> {
        switch (subject, issued) {
        case (.code(let code), let issued): revocation.revoke(code: code, subject: issued?.upstreamSubject)
        case (.token(let token, let hint), nil): revocation.revoke(token, hint: hint)
        case (.token(let token, _), let issued?): revocation.revoke(token, of: issued)
        }
    }

    // MARK: The form

    private static let notProven = TokenError(
        "invalid_client",
        "A public app sends an ID token of this broker (id_token), of the same provider and at most five minutes old.",
        status: .unauthorized)

    private func issuedIDToken(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> IssuedIDToken {
        guard let text = FormBody.value("id_token", form),
            let text = text.visibleASCII(atMost: JSONWebSignature.longestToken),
            let issued = snapshot.issuedToken(
                text, to: app, now: services.clock.now(), maximumAge: Self.maximumTokenAge)
        else { throw Self.notProven }
        return issued
    }

    private func subject(_ form: Parameters) throws(TokenError) -> Subject {
        switch (FormBody.value("token", form), FormBody.value("code", form)) {
        case (let token?, nil):
            guard let token = token.visibleASCII(atMost: Self.longestToken) else {
                throw TokenError("invalid_request", "token is too long or has characters that no token has.")
            }
            return .token(Secret(token), try hint(form))
        case (nil, let code?):
            guard let code = code.visibleASCII(atMost: AuthorizationCode.maximumLength) else {
                throw TokenError("invalid_request", "code is too long or has characters that no code has.")
            }
            return .code(Secret(code))
        default:
            throw TokenError("invalid_request", "Either token or code is needed.")
        }
    }

    private func hint(_ form: Parameters) throws(TokenError) -> TokenTypeHint? {
        switch FormBody.value("token_type_hint", form) {
        case nil: return nil
        case "refresh_token": return .refreshToken
        case "access_token": return .accessToken
        default: throw TokenError("unsupported_token_type", "token_type_hint must be refresh_token or access_token.")
        }
    }

    /// The client ID to which a token or code was issued. A code is always that of a native app, since the broker
    /// exchanges its own codes at once.
    private func clientID(
        _ form: Parameters, _ app: AppEntry, _ provider: ProviderEntry, _ subject: Subject
    ) throws(TokenError) -> String {
        var candidates = app.configuration.nativeAudiences(at: provider.configuration)
        if case .token = subject, provider.hasWebFlow {
            candidates.insert(provider.relyingParty.configuration.clientID, at: 0)
        }
        let clientID: String
        if let audience = FormBody.value("audience", form) {
            guard let known = candidates.first(where: { audience.hasSameBytes(as: $0) }) else {
                throw TokenError("invalid_request", "audience is not one that this app may use here.")
            }
            clientID = known
        } else {
            guard candidates.count == 1, let only = candidates.first else {
                throw TokenError(
                    "invalid_request",
                    candidates.isEmpty
                        ? "The app has no native-audiences at this provider."
                        : "audience is missing: the app has several client ids.")
            }
            clientID = only
        }
        guard provider.behavior.revokesNativeTokens else {
            throw TokenError(
                "unsupported_token_type",
                "Nothing can be revoked: the provider has no team-id, key-id and private-key.")
        }
        return clientID
    }

    // MARK: Responses

    private static func error(_ error: any Error) -> TokenError {
        switch error {
        case let refusal as TokenRevocation.Refusal where refusal.isTemporary:
            return TokenError("temporarily_unavailable", refusal.description, status: .serviceUnavailable)
        case let refusal as TokenRevocation.Refusal:
            return TokenError("invalid_grant", refusal.description)
        case let error as RelyingPartyError where error.isTemporary:
            return TokenError("temporarily_unavailable", "The provider is not available.", status: .serviceUnavailable)
        case let error as RelyingPartyError where error.providerError != nil:
            return TokenError(
                "server_error", "The provider did not accept the broker.", status: .internalServerError)
        default:
            return TokenError("unsupported_token_type", "The provider cannot revoke it.")
        }
    }

    /// Logs, counts and audits the end of a revocation.
    /// - Returns: The response with its outcome.
    private func log(
        _ error: (any Error)?, _ provider: ProviderEntry, _ app: AppEntry, of issued: IssuedIDToken? = nil,
        excess: ClientExcess? = nil, _ response: BrokerResponse
    ) -> BrokerResponse {
        let outcome: String
        let level: Logger.Level
        let line: RepeatableEvent?
        switch error {
        case nil where excess != nil: (outcome, level, line) = ("too_many_from_address", .info, .tooManyFromAddress)
        case nil: (outcome, level, line) = (Self.revoked, .debug, nil)
        case let refusal as TokenRevocation.Refusal where refusal.isTemporary:
            (outcome, level, line) = ("provider_unavailable", .warning, .providerUnavailable)
        case let refusal as TokenRevocation.Refusal where refusal == .notValid:
            (outcome, level, line) = ("not_valid", .info, .otherPerson)
        case is TokenRevocation.Refusal: (outcome, level, line) = ("other_person", .info, .otherPerson)
        case let error as RelyingPartyError where error.isTemporary:
            (outcome, level, line) = ("provider_unavailable", .warning, .providerUnavailable)
        default: (outcome, level, line) = ("failed", .warning, .failedStep)
        }
        metrics.revocations.increment(provider.id, outcome)
        context.span?.note(provider: provider.id, app: app.configuration.name, isFailure: level == .warning)
        // Any user, or a client with invented tokens, can repeat failures.
        let written = line.map { services.line($0, at: .revocation, provider: provider.number) }
        audit.record(
            AuditEvent(
                .revoked, outcome: outcome, provider: provider.id, app: app.configuration.name,
                subject: issued?.subject, client: context.client, reference: written?.reference))
        let noted = response.noting(outcome, written?.reference)
        if let written, written.metadata == nil { return noted }
        // Errors of these types contain neither tokens nor codes.
        let detail =
            (error as? RelyingPartyError)?.description ?? (error as? TokenRevocation.Refusal)?.description
            ?? excess?.kind.rawValue
        logger.log(
            level: level, "\(outcome == Self.revoked ? "token revoked" : "token not revoked")",
            metadata: [
                "auth.outcome": "\(outcome)", "auth.detail": "\(LogText.detail(detail))",
                "auth.provider": "\(provider.id)", "auth.app": "\(app.configuration.name)",
            ].merging(written?.metadata ?? [:]) { own, _ in own })
        return noted
    }
}

extension IssuedIDToken {
    /// Whether the ID token is about a user of that provider.
    func isOf(_ entry: ProviderEntry) -> Bool {
        provider.hasSameBytes(as: entry.id)
            && (entry.relyingParty.configuration.tenants.isEmpty
                ? upstreamIssuer.hasSameBytes(as: entry.relyingParty.configuration.issuer) : true)
    }
}
