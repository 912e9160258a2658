// SPDX-License-Identifier: Apache-2.0

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
import SingleUse

/// The refresh: an app exchanges a refresh token for new tokens at the token endpoint (RFC 6749 section 6, OpenID Connect
/// Core 1.0 section 12). No provider is asked.
struct RefreshFlow: RequestHandling {
    let context: RequestContext
    let app: AppEntry
    let policy: RefreshTokenPolicy
    let sessions: any AppSessionKeeper

    /// The refresh of an app's form; `nil` if it is none, or the app has no refresh tokens.
    init?(_ form: Parameters, of app: AppEntry, in context: RequestContext) {
        guard let policy = app.refreshTokens, let sessions = context.snapshot.extensions.sessions,
            FormBody.value("grant_type", form) == "refresh_token"
        else { return nil }
        self.context = context
        self.app = app
        self.policy = policy
        self.sessions = sessions
    }

    /// Responds to the form of an authenticated app that has a place for the signature. Beside each step is what the app
    /// gets instead of tokens.
    func respond(to form: Parameters) throws(TokenError) -> Eventual<BrokerResponse> {
        // 1. Read the form.                                            `invalid_request`, `invalid_target`
        guard let token = FormBody.value("refresh_token", form) else {
            throw TokenError("invalid_request", "refresh_token is missing.")
        }
        guard let text = token.visibleASCII(atMost: RevocationEndpoint.longestToken) else { throw Self.invalidGrant }
        let resource = try app.resource(FormBody.value("resource", form))
        let asked = FormBody.value("scope", form).map { Scopes.split($0).map { $0.ascii(atMost: 128) ?? "?" } }
        // 2. Refresh the session.                                      `invalid_grant`, `temporarily_unavailable`
        let presented = PresentedRefreshToken(text, of: app, policy: policy, client: context.client)
        let refreshed = sessions.refresh(presented, on: eventLoop) { [snapshot, app] session in
            guard app.scopes(asked, of: session, in: snapshot) != nil else {
                throw TokenError("invalid_scope", "scope contains a scope that was not granted.")
            }
            // 3. Ask the rules of the app again.                       `invalid_grant`
            _ = try Self.examine(session, of: app, in: snapshot)
        }
        return Eventual<RefreshedAppSession>.future(refreshed.hop(to: eventLoop)).flatMap { refreshed in
            switch refreshed {
            case .refused: return .value(refusal("it is not valid, or its session has ended"))
            case .reused(let account): return .value(refusal(reuseBy: account))
            case .refreshed(let session, let refreshToken):
                // 4. Issue the tokens.                                 `server_error`, `invalid_target`
                guard let claims = try? Self.examine(session, of: app, in: snapshot) else {
                    return .failure(Self.invalidGrant)
                }
                return issue(session, claims, asked, resource, refreshToken)
            }
        }.recover { error in
            guard let error = error as? TokenError else { return unavailable(error) }
            return refusal("the settings of the app no longer allow the user, or its scopes changed", error)
        }
    }

    // MARK: 3

    /// Asks the rules of the app again, in the transaction and before anything is used up. What decides about a sign-in of
    /// the app by its settings decides here too, of what the newest sign-in of the identity at an OpenID app said.
    ///
    /// A session that is refused does not end: it goes on once the settings, or a further sign-in, are as the app
    /// requires, so that a mistake in the configuration, once corrected, signs no user out.
    /// - Returns: The claims for the app.
    static func examine(
        _ session: KeptAppSession, of app: AppEntry, in snapshot: BrokerSnapshot
    ) throws(TokenError) -> JSONObject {
        guard session.claims["iss"]?.text?.hasSameBytes(as: snapshot.issuer) == true,
            let provider = snapshot.provider(named: WireText(session.providerID)), app.mayUse(provider.name),
            provider.unmet(app.configuration.require, by: session.decidingClaims) == nil,
            let claims = try? app.claims(of: session, at: provider)
        else { throw Self.invalidGrant }
        return claims
    }

    // MARK: 4

    private func issue(
        _ session: KeptAppSession, _ claims: JSONObject, _ asked: [String]?,
        _ resource: BrokerConfiguration.Resource?, _ refreshToken: String
    ) -> Eventual<BrokerResponse> {
        let granted = GrantedScopes(text: session.scope)
        let scopes = app.scopes(asked, of: session, in: snapshot) ?? granted
        var claims = claims
        HandedClaims.remove(from: &claims, narrowing: granted, to: scopes)
        let record = HandOffRecord(
            clientID: app.clientID, redirectURI: "", codeChallenge: nil, issuer: snapshot.issuer, scopes: scopes,
            claims: JSONObjectText(claims), upstream: nil, decidedAt: session.authTime)
        let now = services.clock.now()
        return TokenResponse(context: context, app: app, place: .token, resource: resource).issue(
            record, accessTokenID: SecureRandom.bytes(16),
            accessTokenExpiry: min(
                now + min(app.accessTokenLifetime(for: resource), policy.idleLifetime), session.begin + policy.lifetime),
            refreshToken: refreshToken, sessionID: session.id, now: now
        ).flatMapThrowing { response in
            guard response.head.status == .ok else { return response }
            return noted(response, "refreshed", account: session.account)
        }
    }

    /// Counts and audits a refresh.
    private func noted(
        _ response: BrokerResponse, _ outcome: String, account: String? = nil, line: ReferencedLine? = nil
    ) -> BrokerResponse {
        metrics.redemptions.increment(app.configuration.name, outcome)
        audit.record(
            AuditEvent(
                account == nil ? .refused : .refreshed, outcome: outcome, app: app.configuration.name,
                client: context.client, reference: line?.reference, account: account), with: line)
        return response.noting(outcome, line?.reference)
    }

    // MARK: Refusals

    /// The app is not told why.
    private static let invalidGrant = TokenError("invalid_grant", "The refresh token is not valid.")

    /// Says in the log, and there alone, why a token is refused.
    private func refusal(_ reason: StaticString, _ error: TokenError = Self.invalidGrant) -> BrokerResponse {
        let line = services.line(.refusedCode, at: .token)
        if let metadata = line.metadata {
            logger.info(
                "refresh token refused: \(reason)",
                metadata: metadata.merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
        }
        return noted(error.response, "refused", line: line)
    }

    /// A token that had been replaced came again: the app, or who copied its token, is signed out.
    private func refusal(reuseBy account: String) -> BrokerResponse {
        if let repetition = services.repetition(of: .repeatedCode, at: .token) {
            logger.warning(
                "replaced refresh token used again: its session has ended",
                metadata: repetition.merging([
                    "auth.app": "\(app.configuration.name)", "auth.account": "\(account)",
                ]) { own, _ in own })
        }
        return noted(Self.invalidGrant.response, "reused", account: account)
    }

    private func unavailable(_ error: any Error) -> BrokerResponse {
        logUnavailableAccounts(error, app: app, at: .token, message: "tokens not refreshed")
        return TokenError.unavailable.response
    }
}

// The beginning of a session, which a redemption asks for.
extension RedemptionFlow {
    /// The account of a record, before the code is used up.
    enum AccountOfCode: Equatable {
        case usable
        case unusable
        /// The session lives for so many seconds unless it is refreshed.
        case session(refreshToken: String?, seconds: Int64)

        var session: (refreshToken: String?, seconds: Int64)? {
            if case .session(let token, let seconds) = self { (token, seconds) } else { nil }
        }
    }

    /// Begins the session of an app that asked for a refresh token and may have one, or hears of the end of a session;
    /// `nil` for any other. The same code begins it once.
    func beginSession(
        of record: HandOffRecord, _ redemption: RedemptionRequest
    ) -> Eventual<AccountOfCode>? {
        let app = redemption.app
        let refreshTokens = record.scopes.hasOfflineAccess ? app.refreshTokens : nil
        guard let policy = refreshTokens ?? app.signInSessions, let authTime = record.decidedAt,
            let sessions = snapshot.extensions.sessions, var claims = record.claims.object,
            let account = claims["account"]?.text?.makeString()
        else { return nil }
        claims["nonce"] = nil
        let (id, seed) = redemption.handOff.session
        let session = NewAppSession(
            id: id, seed: seed, app: app.clientID, policy: policy, account: account, authTime: authTime,
            scope: record.scopes.text, claims: claims, providerSession: record.providerSession)
        return Eventual<String?>.future(sessions.begin(session, on: eventLoop).hop(to: eventLoop)).flatMapThrowing {
            token in
            let seconds = min(policy.idleLifetime, policy.lifetime)
            return token.map { .session(refreshToken: refreshTokens == nil ? nil : $0, seconds: seconds) } ?? .unusable
        }.flatMapErrorThrowing { error in
            logUnavailableAccounts(error, app: app, at: .token, message: "hand-off code not redeemed")
            throw error
        }
    }
}
