// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

// The sessions of OpenID apps, whose tokens the wire of the SDKs does not take.
extension AccountOperations {
    /// Begins the session of an app. The same request, which comes again where its answer was lost, begins it once. If the
    /// account has too many at the app, the one that was not used for the longest time ends.
    /// - Returns: The refresh token.
    /// - Throws: ``AccountRefusal`` if the account may not be used, or an error of the store.
    package func begin(
        _ request: AppSessionRequest, keys: SuccessorKeys, in transaction: any AccountTransaction, now: Int64
    ) throws -> AppRefreshToken {
        guard let key = keys.current, request.claims.utf8.count <= AccountLimits.grantBytes else {
            throw AccountRefusal(.invalidValue)
        }
        let token = AppRefreshToken(session: request.id, seed: request.seed, under: key)
        guard let account = try transaction.account(request.account) else { throw AccountRefusal(.unknown) }
        guard !account.isDisabled else { throw AccountRefusal(.disabled) }
        guard request.authTime >= account.validSince,
            let identity = try transaction.identity(request.identity), identity.account == account.id
        else { throw AccountRefusal(.sessionEnded) }
        if let known = try transaction.session(request.id) {
            guard known.expiry > now, known.account == account.id,
                ConstantTime.equal(known.secretHash, token.secretHash)
            else { throw AccountRefusal(.used) }
            return token
        }
        let others = try transaction.sessions(of: account.id).filter {
            $0.expiry > now && $0.wire == .app && $0.app?.hasSameBytes(as: request.app) == true
        }.sorted { ($0.grant?.lastUsedAt ?? 0, $0.createdAt) < ($1.grant?.lastUsedAt ?? 0, $1.createdAt) }
        for session in others.dropLast(AccountLimits.appSessions - 1) {
            try end(session, isDisplaced: true, in: transaction)
        }
        try transaction.trimSessions(of: account.id, to: AccountLimits.sessions - 1)
        let family = RefreshTokenFamily(token, under: key)
        try transaction.insert(
            AccountSession(
                id: request.id, secretHash: family.secretHash, account: account.id,
                providerID: identity.verified.providerID, app: request.app, authTime: request.authTime, createdAt: now,
                expiry: now + min(request.policy.idleLifetime, request.policy.lifetime),
                grant: AccountSession.Grant(
                    scope: request.scope, claims: request.claims, lastUsedAt: now, generation: family.generation,
                    keyID: family.keyID, rotations: family.rotations),
                providerSession: request.providerSession))
        return token
    }

    /// Refreshes the session of an app, or ends it if its token comes again that was replaced.
    /// - Parameters:
    ///   - presented: The token that the app sent.
    ///   - keys: The keys of successors.
    ///   - transaction: The primitives of a transaction that writes.
    ///   - now: The current time, in seconds since 1970.
    ///   - mayGoOn: Throws unless the app may still have the user signed in. Then nothing is written. It may be called
    ///     more than once.
    /// - Throws: ``AccountRefusal`` if nothing ends but the token is refused, an error of the store, or one of the closure.
    package func refresh(
        _ presented: PresentedAppToken, keys: SuccessorKeys, in transaction: any AccountTransaction, now: Int64,
        if mayGoOn: (AppSession) throws -> Void
    ) throws -> AppRefresh {
        let (session, finding) = try find(presented, keys: keys, in: transaction, now: now)
        switch finding {
        case .unproved: throw AccountRefusal(.sessionEnded)
        case .superseded: throw AccountRefusal(.used)
        case .reused:
            guard session.expiry > now else { throw AccountRefusal(.sessionEnded) }
            try end(session, in: transaction)
            return .reused(session)
        case .repeated(let successor):
            let live = try self.live(session, under: presented.policy, in: transaction, now: now)
            try mayGoOn(live.session)
            return .refreshed(live.session, successor)
        case .current:
            let live = try self.live(session, under: presented.policy, in: transaction, now: now)
            try mayGoOn(live.session)
            var (session, token) = (session, presented.token)
            if presented.policy.rotates {
                guard let key = keys.current, var family = session.family else { throw AccountRefusal(.sessionEnded) }
                token = family.rotate(token, under: key, now: now)
                session.family = family
            }
            session.use(at: now, under: presented.policy)
            try transaction.update(session)
            try noteTokens(of: live.account, in: transaction, now: now)
            return .refreshed(live.session, token)
        }
    }

    /// Returns the session of a token that an app could refresh; `nil` if there is none. It only reads.
    package func session(
        of presented: PresentedAppToken, keys: SuccessorKeys, in transaction: any AccountTransaction, now: Int64
    ) throws -> AppSession? {
        do {
            let (session, finding) = try find(presented, keys: keys, in: transaction, now: now)
            switch finding {
            case .current, .repeated:
                return try live(session, under: presented.policy, in: transaction, now: now).session
            case .superseded, .reused, .unproved: return nil
            }
        } catch is AccountRefusal {
            return nil
        }
    }

    /// Ends the session of a token, which may have been replaced.
    /// - Returns: The session; `nil` if the token is proved to be of none, or it has ended.
    package func end(
        _ token: AppRefreshToken, of app: String, keys: SuccessorKeys, in transaction: any AccountTransaction,
        now: Int64
    ) throws -> AccountSession? {
        do {
            // However old it is.
            let any = RefreshTokenPolicy(idleLifetime: 0, lifetime: 0, rotates: false, repetition: 0)
            let presented = PresentedAppToken(token, of: app, policy: any, absence: .none)
            let (session, finding) = try find(presented, keys: keys, in: transaction, now: now)
            if case .unproved = finding { return nil }
            guard session.expiry > now else { return nil }
            try end(session, in: transaction)
            return session
        } catch is AccountRefusal {
            return nil
        }
    }

    /// Ends the session of a grant that was used twice (RFC 6749 section 4.1.2), if there is one.
    package func endAppSession(
        _ id: AccountSession.ID, of app: String, in transaction: any AccountTransaction, now: Int64
    ) throws {
        guard let session = try transaction.session(id), session.wire == .app,
            session.app?.hasSameBytes(as: app) == true, session.expiry > now
        else { return }
        try end(session, in: transaction)
    }

    // MARK: Parts

    /// Finds the session of a token, and what the token is. Of the session of another app nothing is told.
    private func find(
        _ presented: PresentedAppToken, keys: SuccessorKeys, in transaction: any AccountTransaction, now: Int64
    ) throws -> (AccountSession, RefreshTokenFamily.Finding) {
        guard let session = try transaction.session(presented.token.sessionID), let family = session.family,
            session.app?.hasSameBytes(as: presented.app) == true
        else { throw AccountRefusal(.sessionEnded) }
        let repetition = RefreshTokenFamily.Repetition(
            seconds: presented.policy.repetition, absence: presented.absence)
        return (session, family.find(presented.token, keys: keys, repetition: repetition, now: now))
    }

    /// Returns a session that has not ended, also not under the present policy, with its account.
    private func live(
        _ session: AccountSession, under policy: RefreshTokenPolicy, in transaction: any AccountTransaction, now: Int64
    ) throws -> (session: AppSession, account: Account) {
        guard let grant = session.grant, let claims = grant.object, let key = IdentityKey(in: claims),
            case let end = min(session.expiry, session.end(under: policy)), end > now,
            let account = try transaction.account(session.account), session.authTime >= account.validSince,
            let identity = try transaction.identity(key), identity.account == account.id
        else { throw AccountRefusal(.sessionEnded) }
        guard !account.isDisabled else { throw AccountRefusal(.disabled) }
        // They may be long, and most apps decide by none.
        let decidingClaims = try policy.requiresClaims ? keptClaims(of: key, in: transaction) : nil
        let live = AppSession(
            session, scope: grant.scope, claims: claims, newest: identity.verified, decidingClaims: decidingClaims,
            end: end)
        return (live, account)
    }

    /// Notes that an account got tokens, once a day.
    private func noteTokens(of account: Account, in transaction: any AccountTransaction, now: Int64) throws {
        guard account.lastRefreshAt.map({ AccountSession.day($0) < AccountSession.day(now) }) ?? true else { return }
        var account = account
        account.noteTokens(at: now)
        try transaction.update(account)
    }
}

extension AccountSession {
    /// The end of the session unless it is refreshed, in seconds since 1970.
    fileprivate func end(under policy: RefreshTokenPolicy) -> Int64 {
        min((grant?.lastUsedAt ?? createdAt) + policy.idleLifetime, createdAt + policy.lifetime)
    }

    /// Notes a use.
    fileprivate mutating func use(at now: Int64, under policy: RefreshTokenPolicy) {
        if let last = grant?.lastUsedAt { grant?.lastUsedAt = max(last, now) }
        lastUsedOn = max(lastUsedOn, Self.day(now))
        expiry = end(under: policy)
    }
}

extension AccountSession.Grant {
    /// The claims; `nil` if they cannot be read.
    var object: JSONObject? {
        try? JSONParser.object(Array(claims.utf8), limits: JSONLimits(maximumBytes: AccountLimits.grantBytes))
    }
}

extension IdentityKey {
    /// The identity that claims of the broker name; `nil` if they name none.
    fileprivate init?(in claims: JSONObject) {
        guard let issuer = claims["upstream_iss"]?.text, let subject = claims["upstream_sub"]?.text else { return nil }
        self.init(issuer: issuer.makeString(), subject: subject.makeString())
    }
}
