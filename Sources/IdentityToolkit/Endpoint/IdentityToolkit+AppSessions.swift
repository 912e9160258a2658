// SPDX-License-Identifier: Apache-2.0

import Accounts
package import Admission
import JOSE
package import NIOCore
package import OIDCBroker
import OpenIDConnect

// The sessions of OpenID apps, which are sessions of accounts.
extension IdentityToolkit: AppSessionKeeper {
    package func begin(_ session: NewAppSession, on eventLoop: any EventLoop) -> EventLoopFuture<String?> {
        guard let id = AccountSession.ID(bytes: session.id), let account = AccountID(session.account),
            let issuer = session.claims["upstream_iss"]?.text, let subject = session.claims["upstream_sub"]?.text
        else { return eventLoop.makeSucceededFuture(nil) }
        let identity = IdentityKey(issuer: issuer.makeString(), subject: subject.makeString())
        let request = AppSessionRequest(
            id: id, seed: session.seed, account: account, identity: identity, app: session.app,
            authTime: session.authTime, scope: session.scope,
            claims: String(decoding: session.claims.serialized(), as: UTF8.self), policy: session.policy,
            providerSession: session.providerSession.map {
                AccountSession.hash(ofProviderSession: $0, issuer: identity.issuer)
            })
        return service.begin(request, keys: successorKeys, on: eventLoop).map { $0.text }
            .flatMapErrorThrowing { error in
                guard error is AccountRefusal else { throw error }
                return nil
            }
    }

    package func refresh(
        _ presented: PresentedRefreshToken, on eventLoop: any EventLoop,
        if mayGoOn: @escaping @Sendable (KeptAppSession) throws -> Void
    ) -> EventLoopFuture<RefreshedAppSession> {
        guard let token = AppRefreshToken(presented.text) else { return eventLoop.makeSucceededFuture(.refused) }
        guard limits.mayProceed(.appRefresh(token.sessionID, secretHash: token.secretHash)) else {
            return eventLoop.makeFailedFuture(ToolkitError(.tooManyAttempts))
        }
        return accounts(for: presented.client).refresh(
            token, of: presented.app, policy: presented.policy, keys: successorKeys, on: eventLoop
        ) { session in
            // The token is proved. Each that replaces another one would have a rate of its own.
            guard limits.mayProceed(.appRefresh(token.sessionID, secretHash: [])) else {
                throw ToolkitError(.tooManyAttempts)
            }
            try mayGoOn(KeptAppSession(session))
        }.map { refresh -> RefreshedAppSession in
            switch refresh {
            case .refreshed(let session, let next): .refreshed(KeptAppSession(session), refreshToken: next.text)
            case .reused(let session): .reused(account: session.account.text)
            }
        }.flatMapErrorThrowing { error in
            guard error is AccountRefusal else { throw error }
            return .refused
        }
    }

    package func session(
        of presented: PresentedRefreshToken, on eventLoop: any EventLoop
    ) -> EventLoopFuture<KeptAppSession?> {
        guard let token = AppRefreshToken(presented.text) else { return eventLoop.makeSucceededFuture(nil) }
        return accounts(for: presented.client).session(
            of: token, of: presented.app, policy: presented.policy, keys: successorKeys, on: eventLoop
        ).map { $0.map { KeptAppSession($0) } }
    }

    package func end(
        refreshToken: String, of app: String, for client: IPAddress?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<String?> {
        guard let token = AppRefreshToken(refreshToken) else { return eventLoop.makeSucceededFuture(nil) }
        return accounts(for: client).end(token, of: app, keys: successorKeys, on: eventLoop).map { $0?.account.text }
    }

    package func end(sessionOfCode id: [UInt8], of app: String, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        guard let id = AccountSession.ID(bytes: id) else { return eventLoop.makeSucceededVoidFuture() }
        return service.endAppSession(id, of: app, on: eventLoop)
    }
}

extension KeptAppSession {
    fileprivate init(_ session: AppSession) {
        self.init(
            id: session.session.id.bytes, scope: session.scope, claims: session.claims,
            decidingClaims: session.decidingClaims, providerID: session.session.providerID,
            account: session.session.account.text, authTime: session.session.authTime,
            begin: session.session.createdAt, end: session.end)
    }
}
