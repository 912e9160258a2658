// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// Delivers a verified sign-in to the handler of an app of kind `in-process`.
struct InProcessDelivery: RequestHandling {
    let context: RequestContext
    let login: CallbackLogin
    let app: AppEntry
    let handler: SignInHandler
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    /// The reason why a response of the handler cannot be used.
    private struct LateResponse: Error {}

    func deliver(_ signIn: VerifiedSignIn) -> Eventual<BrokerResponse> {
        unverifiedName(with: login.user, issuer: signIn.issuer, subject: signIn.subject, at: login.provider)
            .flatMap { deliver(signIn, $0) }
    }

    private func deliver(_ signIn: VerifiedSignIn, _ name: UnverifiedName?) -> Eventual<BrokerResponse> {
        let claims = app.claims(of: signIn, at: login.provider)
        if let refusal = claims.refusal { return .value(responses.end(refusal, login)) }
        guard app.configuration.accounts else { return deliver(signIn, claims, name, account: nil) }
        return enterAccount(
            signIn, claims, at: login.provider, app: app, name: name, client: context.client,
            reference: login.reference
        ).flatMap { decided in
            switch decided {
            case .entered(let account): deliver(signIn, claims, name, account: account)
            case .ended(let outcome): .value(responses.end(outcome, login))
            }
        }
    }

    /// Delivers a sign-in.
    /// - Parameter account: The identifier of the account that the sign-in entered; `nil` if there is none.
    private func deliver(
        _ signIn: VerifiedSignIn, _ claims: PickedClaims, _ name: UnverifiedName?, account: String?
    ) -> Eventual<BrokerResponse> {
        let completed: CompletedSignIn
        do throws(ClaimError) {
            completed = try self.completed(signIn, claims, name, account: account)
        } catch {
            return .value(responses.end(.unusableClaims(error.description), login))
        }
        return Eventual.future(handler.respond(completed, eventLoop).hop(to: eventLoop)).bounded(
            by: eventLoop.now + SignInHandler.timeout, else: LateResponse()
        ).flatMapThrowing { response in
            finish(response, completed) {
                // The server has the name, which need not be kept any longer.
                if let name { acknowledge(name, issuer: signIn.issuer, subject: signIn.subject) }
            }
        }.recover { error in
            // The description of the server's own error may contain anything.
            return responses.end(.handlerFailed(error is LateResponse ? "timed out" : "\(type(of: error))"), login)
        }
    }

    private func completed(
        _ signIn: VerifiedSignIn, _ claims: PickedClaims, _ name: UnverifiedName?, account: String?
    ) throws(ClaimError) -> CompletedSignIn {
        let provider = login.provider
        let handed = try HandedClaims.idToken(
            signIn, providerID: provider.id, issuer: snapshot.issuer, clientID: app.clientID, nonce: nil,
            scopes: login.state.scopes, configured: provider.configuration.claims, picked: claims.deciding,
            addingClaims: provider.behavior.addClaims, account: account)
        handed.logLeftOut(provider: provider, app: app, login: login.reference, in: context)
        return CompletedSignIn(
            app: app.configuration.name, provider: provider.id,
            subject: handed.subject,
            claims: Claims(handed.claims.object ?? [:]),
            upstream: app.configuration.upstreamTokens ? signIn : nil,
            unverifiedName: name.map { UnverifiedPersonName($0) },
            destination: login.state.appState ?? LocalDestination.root.text, state: login.state.appNonce,
            account: account)
    }

    private func finish(
        _ response: SignInResponse, _ signIn: CompletedSignIn, onSuccess: () -> Void
    ) -> BrokerResponse {
        var result: BrokerResponse
        switch response.kind {
        case .page(let page):
            result = page
            if result.head.headerFields[.cacheControl] == nil { result.head.headerFields[.cacheControl] = "no-store" }
        case .redirect(let path):
            guard
                let destination = LocalDestination(
                    WireText(path ?? signIn.destination), besides: snapshot.paths)
            else { return responses.end(.handlerFailed("redirect to another place than a path of this origin"), login) }
            result = .seeOther(snapshot.configuration.publicURL.origin + destination.text)
        }
        result.head.headerFields.append(contentsOf: response.headerFields)
        result.head.headerFields.neverIndexCookies()
        responses.log(.signedIn, login.description, subject: signIn.subject, account: signIn.account)
        onSuccess()
        return responses.deletingCookie(of: login, result.noting(Outcome.signedIn.label, login.reference))
    }
}
