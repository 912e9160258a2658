// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import JOSE
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

// A credential of a provider: signs in, links or re-authenticates.
extension ToolkitCall {
    func signIn(_ request: SignInWithIdpRequest) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        guard let idToken = request.idToken else { return try signIn(request, linkingTo: nil) }
        return try asking(idToken) { asking throws(ToolkitError) in try signIn(request, linkingTo: asking) }
    }

    /// - Parameter asking: The session to whose account the identity is linked; `nil` for a sign-in.
    private func signIn(
        _ request: SignInWithIdpRequest, linkingTo asking: Asking?
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        switch request.credential {
        case .handler(let url):
            return try redeem(url, request, linkingTo: asking)
        case .pending(let text):
            guard let credential = sealer.open(text, for: app.name, now: broker.now) else {
                throw ToolkitError(.invalidPendingToken)
            }
            return try enter(credential, request, linkingTo: asking)
        case .native(let token):
            let provider = try provider(token.providerID)
            return handedOut(token).flatMapThrowing { credential in
                if let credential { return try enter(credential, request, linkingTo: asking) }
                return try verify(token, at: provider)
                    .flatMapThrowing { try enter($0, request, linkingTo: asking) }.flatMap { $0 }
            }.flatMap { $0 }
        }
    }

    /// Enters with what was verified before.
    private func enter(
        _ credential: PendingCredential, _ request: SignInWithIdpRequest, linkingTo asking: Asking?
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let presented = PresentedCredential(pending: credential)
        if let id = request.providerID {
            guard id.hasSameBytes(as: presented.identity.providerID) else {
                throw ToolkitError(.invalidIdpResponse, "postBody and the pending credential name two providers.")
            }
        }
        // Another issuer may have the provider's ID since then.
        guard try provider(presented.identity.providerID).mayHaveIssued(presented.identity.key) else {
            throw ToolkitError(.invalidPendingToken)
        }
        try admit(presented.identity.key)
        return try enter(presented, request, linkingTo: asking)
    }

    /// The provider of an ID, if the app may use it.
    func provider(_ id: String) throws(ToolkitError) -> BrokerAccess.Provider {
        guard let provider = broker.provider(id: id) else { throw .unsupportedProvider }
        guard app.mayUse(provider: provider.name) else {
            throw ToolkitError(.operationNotAllowed, "The app may not use the provider.")
        }
        return provider
    }

    private func verify(
        _ token: SignInWithIdpRequest.NativeToken, at provider: BrokerAccess.Provider
    ) throws(ToolkitError) -> EventLoopFuture<PresentedCredential> {
        let audiences = app.audiences(at: provider.id, named: provider.name)
        guard !audiences.isEmpty else {
            throw ToolkitError(.operationNotAllowed, "The app has no native-audiences at the provider.")
        }
        let (app, now) = (app, broker.now)
        return provider.relyingParty.verifyNative(
            idToken: Secret(token.idToken), audiences: audiences,
            nonce: token.rawNonce.map { NoncePair(raw: $0).hashed }, rawNonce: token.rawNonce ?? "",
            nonceIsRequired: app.nativeNonce == .required || provider.sendsUser,
            maximumIssuedAge: app.nativeMaximumAge, in: RequestScope(on: eventLoop)
        ).future(on: eventLoop).flatMap { signIn -> EventLoopFuture<VerifiedSignIn> in
            do throws(ToolkitError) {
                // Before the provider is asked anything about the user.
                try admit(IdentityKey(issuer: signIn.issuer, subject: signIn.subject), from: broker.client)
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
            guard provider.relyingParty.configuration.userInfo, let accessToken = token.accessToken(boundTo: signIn)
            else { return eventLoop.makeSucceededFuture(signIn) }
            return provider.relyingParty.addingUserInfo(
                to: signIn, accessToken: accessToken, in: RequestScope(on: eventLoop)
            ).future(on: eventLoop)
        }.flatMapThrowing { signIn in
            if let refusal = provider.refusal(of: signIn, by: app.require) {
                throw Self.refusal(of: refusal)
            }
            return PresentedCredential(signIn, token, at: provider, maximumAge: app.nativeMaximumAge, now: now)
        }.flatMapErrorThrowing { error in throw Self.refusal(of: error) }
    }

    /// What the app is told of a credential whose claims do not let its user in.
    private static func refusal(of outcome: Outcome) -> ToolkitError {
        outcome.error?.code == "access_denied"
            ? ToolkitError(.operationNotAllowed, "The user may not use the app.")
            : ToolkitError(
                .invalidIdpResponse, "A claim that the app requires cannot be used: \(outcome.detail ?? "").")
    }

    /// What the app is told of a credential that was not verified: the check that failed, and no content of the token.
    private static func refusal(of error: any Error) -> any Error {
        guard let error = error as? RelyingPartyError, !error.isTemporary else { return error }
        guard error.step != .userInfo else {
            return ToolkitError(.invalidIdpResponse, "UserInfo could not be read with the access token.")
        }
        if error.finding?.check == IDTokenCheck.nonce.name {
            return ToolkitError(
                .missingOrInvalidNonce,
                "The SHA-256 of nonce in lower-case hexadecimal must be the nonce of the ID token.")
        }
        return ToolkitError(
            .invalidIdpResponse, "The ID token could not be verified (\(error.finding?.check ?? "\(error.step)")).")
    }

    // MARK: Accounts

    /// Counts a sign-in of an identity at the app.
    /// - Parameter client: The address of a client that presents a native credential; `nil` if it is not known.
    func admit(_ key: IdentityKey, from client: IPAddress? = nil) throws(ToolkitError) {
        guard toolkit.limits.mayProceed(signIn(of: key, from: client)) else { throw ToolkitError(.tooManyAttempts) }
    }

    /// A sign-in of an identity at the app. No client ID has a space.
    func signIn(of key: IdentityKey, from client: IPAddress? = nil) -> LimitedAccountOperation {
        IdentityToolkit.AccountLimits.signIn(key, at: "\(IdentityToolkit.purpose) \(app.name)", from: client)
    }

    /// - Parameter wantsAccount: Whether an account may be made of what was verified; `nil` for what the request says.
    func enter(
        _ credential: PresentedCredential, _ request: SignInWithIdpRequest, linkingTo asking: Asking?,
        wantsAccount: Bool? = nil
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let wantsAccount = wantsAccount ?? request.mayCreate
        if let account = credential.pending.account {
            guard asking.map({ $0.session.account == account }) ?? !wantsAccount else {
                throw ToolkitError(
                    .invalidIdpResponse,
                    "The credential has signed in. It now links to that account or re-authenticates it, nothing else.")
            }
        }
        // Whether an account is made is known only after the transaction.
        let mayCreate = wantsAccount && toolkit.limits.allowsNewAccount(from: broker.client)
        let entered: EventLoopFuture<AccountService.SignedIn> =
            if let asking {
                counting(
                    asking,
                    service.link(
                        LinkRequest(
                            credential.identity, asking: asking.session, app: app.name, uses: credential.uses,
                            accessToken: credential.handedOutToken), on: eventLoop))
            } else {
                service.signIn(signInRequest(credential, mayCreate: mayCreate), on: eventLoop)
            }
        return entered.flatMap { signedIn in
            if signedIn.person.isNew { toolkit.limits.noteNewAccount(from: broker.client) }
            note(signedIn.person.importedHolder, credential, of: signedIn.person.account.id)
            audit(
                asking == nil ? .accountSignIn : .accountLink, provider: credential.identity.providerID,
                subject: credential.identity.brokerSubject, of: signedIn.person.account.id)
            let response = BrokerResponse(credential.members(of: signedIn, at: broker.now))
            guard credential.isOfTicket else { return eventLoop.makeSucceededFuture(response) }
            return keep(credential.pending.reused(for: signedIn.person.account.id)).map { response }
        }.flatMapError { error in
            guard let refusal = error as? AccountRefusal else { return eventLoop.makeFailedFuture(error) }
            guard refusal.code != .unknown || mayCreate == wantsAccount else {
                return eventLoop.makeFailedFuture(ToolkitError(.tooManyAttempts))
            }
            return conflict(refusal, credential, request)
        }
    }

    func signInRequest(_ credential: PresentedCredential, mayCreate: Bool) -> SignInRequest {
        var request = SignInRequest(
            credential.identity, authTime: credential.pending.authTime, mayCreate: mayCreate,
            expected: credential.pending.account, app: app.name, uses: credential.uses,
            accessToken: credential.handedOutToken)
        request.claims = credential.pending.claims
        request.permission = credential.permission
        return request
    }

    /// Records what an imported account had to do with a sign-in.
    private func note(_ holder: ImportedHolder?, _ credential: PresentedCredential, of account: AccountID) {
        switch holder {
        case .entered:
            audit(
                .accountLink, provider: credential.identity.providerID,
                subject: credential.identity.brokerSubject, of: account)
        case .kept(let imported): broker.noteImportedHolder(of: account.description, imported.description)
        case nil: break
        }
    }

    /// The failure that hands the credential back if it did not sign in, or else the error.
    private func conflict(
        _ refusal: AccountRefusal, _ credential: PresentedCredential, _ request: SignInWithIdpRequest
    ) -> EventLoopFuture<BrokerResponse> {
        let reason: EventLoopFuture<CredentialConflict.Reason?>
        switch refusal.code {
        case .needConfirmation:
            reason = verifiedProviders(of: refusal.holder, for: credential.identity).flatMapThrowing {
                providers -> CredentialConflict.Reason? in
                guard !providers.isEmpty else { throw noteNewSubject(credential.identity, of: refusal.holder) }
                return .needConfirmation(verifiedProviders: providers)
            }
        case .belongsToAnother where request.returnsIdpCredential:
            reason = eventLoop.makeSucceededFuture(.identityInUse)
        case .emailBelongsToAnother where request.returnsIdpCredential:
            reason = eventLoop.makeSucceededFuture(.emailInUse)
        default: reason = eventLoop.makeSucceededFuture(nil)
        }
        return reason.flatMap { reason in
            guard let reason,
                let pending = sealer.seal(credential.pending, for: app.name)
                    // What UserInfo says may be too long, and is only shown.
                    ?? sealer.seal(credential.pending.withoutProfile, for: app.name)
            else { return eventLoop.makeFailedFuture(refusal) }
            return keep(credential.pending).flatMapThrowing { () -> BrokerResponse in
                throw CredentialConflict(
                    reason: reason, credential: credential.pending, pendingToken: pending, now: broker.now)
            }
        }
    }

    /// The providers with which the holder of a newcomer's email has proved it, or can sign in. The newcomer's own is
    /// not one of them: a further sign-in there is the newcomer again.
    private func verifiedProviders(
        of holder: AccountID?, for newcomer: VerifiedIdentity
    ) -> EventLoopFuture<[String]> {
        guard let holder, let email = newcomer.email else { return eventLoop.makeSucceededFuture([]) }
        return service.store.transact(.read, on: eventLoop) { transaction in
            let identities = try transaction.identities(of: holder).map(\.verified)
            let proving = identities.filter { $0.provedEmail == email }
            // Where it was verified before the account was imported, any of its identities enters it.
            return (proving.isEmpty ? identities : proving).map(\.providerID)
                .filter { !$0.hasSameBytes(as: newcomer.providerID) }
        }
    }

    /// Tells the operator of a user who comes from the same provider with the same email and another subject, as after
    /// a realm was made anew. An email alone never gives access to an account, since it may have another owner by now.
    private func noteNewSubject(_ newcomer: VerifiedIdentity, of holder: AccountID?) -> ToolkitError {
        broker.logger.notice(
            "provider sent a new subject for the email of an account: see 'oidc-broker accounts identities replace'",
            metadata: [
                "auth.account": "\(holder?.description ?? "-")", "auth.provider": "\(newcomer.providerID)",
                "auth.subject": "\(newcomer.brokerSubject)",
            ])
        return ToolkitError(
            .emailExists, "The provider says that this is another user than the one whose account has the email.")
    }
}
