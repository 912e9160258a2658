// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// Delivers a verified sign-in to an app: it hands the credential off to the app, or holds it until the user continues.
struct CallbackDelivery: RequestHandling {
    let context: RequestContext
    let login: CallbackLogin
    let app: AppEntry
    let redirectURI: RedirectURI
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    func deliver(_ signIn: VerifiedSignIn) -> Eventual<BrokerResponse> {
        guard isExpected(signIn) else { return .value(responses.end(.unexpectedSubject, login)) }
        guard !login.state.requirements.requiresAuthTime || signIn.claims.object["auth_time"]?.secondsValue != nil
        else {
            return .value(responses.end(.missingAuthTime, login))
        }
        // A name is kept also where the app did not ask for it, because it is not sent again.
        return unverifiedName(
            with: login.user, issuer: signIn.issuer, subject: signIn.subject, at: login.provider
        ).flatMap { deliver(signIn, $0) }
    }

    private func deliver(_ signIn: VerifiedSignIn, _ name: UnverifiedName?) -> Eventual<BrokerResponse> {
        let claims = app.claims(of: signIn, at: login.provider)
        if let refusal = claims.refusal { return .value(responses.end(refusal, login)) }
        guard app.configuration.accounts else { return handOff(signIn, claims, name, account: nil) }
        return enterAccount(
            signIn, claims, at: login.provider, app: app, name: name, client: context.client,
            reference: login.reference
        ).flatMap { decided in
            switch decided {
            case .entered(let account): handOff(signIn, claims, name, account: account)
            case .ended(let outcome): .value(responses.end(outcome, login))
            }
        }
    }

    /// Hands the credential off, or holds it.
    /// - Parameter account: The identifier of the account that the sign-in entered; `nil` if there is none.
    private func handOff(
        _ signIn: VerifiedSignIn, _ claims: PickedClaims, _ name: UnverifiedName?, account: String?
    ) -> Eventual<BrokerResponse> {
        let (record, subject): (HandOffRecord, String)
        do throws(ClaimError) {
            (record, subject) = try makeRecord(signIn, claims, name, account: account)
        } catch {
            return .value(responses.end(.unusableClaims(error.description), login))
        }
        let delivery = HandOffDelivery(
            record: record, destination: login.destination(at: redirectURI, issuer: snapshot.issuer),
            owner: .owner(
                issuer: signIn.issuer, subject: signIn.subject, app: app.share,
                provider: login.provider.share))
        guard redirectURI.isOfOneSite || login.state.isChosen else {
            return hold(delivery, signIn, subject: subject, account: account)
        }
        return delivery.issue(in: context) { issue in
            switch issue {
            case .success(let response):
                responses.log(.signedIn, login.description, subject: subject, account: account)
                return responses.keepingIDToken(
                    signIn, subject: subject, of: login,
                    responses.deletingCookie(of: login, response.noting(Outcome.signedIn.label, login.reference)))
            case .failure(let refusal):
                return responses.end(refusal.outcome, login)
            }
        }
    }

    /// Whether the sign-in is that of the user whom the app named (OpenID Connect Core 1.0 section 3.1.2.1,
    /// `id_token_hint`; section 5.5.1, `sub`).
    private func isExpected(_ signIn: VerifiedSignIn) -> Bool {
        guard login.state.requirements.subjectHash != nil else { return true }
        return login.state.requirements.allow(
            subject: SubjectIdentifier.derive(issuer: signIn.issuer, subject: signIn.subject))
    }

    /// Returns the record, and the `sub` among its claims.
    private func makeRecord(
        _ signIn: VerifiedSignIn, _ claims: PickedClaims, _ name: UnverifiedName?, account: String?
    ) throws(ClaimError) -> (HandOffRecord, subject: String) {
        let provider = login.provider
        let handed = try HandedClaims.idToken(
            signIn, providerID: provider.id, issuer: snapshot.issuer, clientID: app.clientID,
            nonce: login.state.appNonce, scopes: login.state.scopes,
            requirements: login.state.requirements, configured: provider.configuration.claims,
            picked: claims.deciding, addingClaims: provider.behavior.addClaims, account: account,
            atUserInfo: claims.atUserInfo)
        handed.logLeftOut(provider: provider, app: app, login: login.reference, in: context)
        var record = HandOffRecord(
            clientID: app.clientID, redirectURI: redirectURI.text,
            codeChallenge: login.state.codeChallenge, issuer: snapshot.issuer,
            scopes: login.state.scopes, claims: handed.claims,
            upstream: app.configuration.upstreamTokens
                ? HandedClaims.upstream(signIn, providerID: provider.id) : nil,
            user: login.state.scopes.hasProfile ? name?.object : nil, reference: login.reference,
            decidedAt: account.map { _ in services.clock.now() }, resources: login.state.requirements.resources,
            providerSession: account.flatMap { _ in BackChannelLogout.sessionID(of: signIn.claims.object) })
        let omitted = record.omitUpstream(of: signIn, providerID: provider.id)
        record.log(omitted: omitted, provider: provider, app: app, in: context)
        return (record, handed.subject)
    }

    /// Keeps the credential, sealed with the value of the login's cookie, until the user chooses "Continue".
    private func hold(
        _ delivery: HandOffDelivery, _ signIn: VerifiedSignIn, subject: String, account: String?
    ) -> Eventual<BrokerResponse> {
        let held = PendingHandOff(loginID: login.state.loginID, binding: login.binding)
        guard let sealed = held.seal(.ofApp(delivery)) else { return .value(responses.end(.storeUnavailable, login)) }
        return store.put(
            held.key, value: sealed, owner: delivery.owner.waiting(for: .person, in: login.browser),
            seconds: login.secondsToWait(at: services.clock.now()), on: eventLoop
        ).flatMapThrowing { put in
            if let refusal = HandOffDelivery.Refusal(put) { return responses.end(refusal.outcome, login) }
            responses.log(.continuing, login.description, subject: subject, account: account)
            return responses.keepingIDToken(
                signIn, subject: subject, of: login,
                .page(delivery.page(for: login, in: context)).noting(Outcome.continuing.label, login.reference))
        }.recover { _ in responses.end(.storeUnavailable, login) }
    }
}
