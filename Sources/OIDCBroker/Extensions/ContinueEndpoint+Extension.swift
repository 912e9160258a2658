// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty

// A sign-in of an extension that waited for the user.
extension ContinueEndpoint {
    /// Lets the extension hand the sign-in over, or tell its client that the user canceled.
    /// - Parameter deletion: The field that deletes the login's cookie.
    func respond(
        for signIn: PendingExtensionSignIn, isCanceled: Bool, loginID: [UInt8], _ deletion: HTTPField
    ) -> Eventual<BrokerResponse> {
        let taken = TakenSignIn(signIn, loginID: loginID, deletion: deletion, context: context)
        guard isCanceled else { return taken.handOver { $0.handOver(signIn.waiting.content, of: $1, with: $2) } }
        return noteCancellation(loginID).flatMapThrowing { _ in taken.end(.cancelled) }
    }
}

/// A sign-in of an extension that waited and was taken from the store.
struct TakenSignIn: RequestHandling {
    let context: RequestContext
    private let signIn: PendingExtensionSignIn
    private let loginID: [UInt8]
    /// The field that deletes the login's cookie.
    private let deletion: HTTPField
    /// The extension and the login; `nil` if the configuration was changed and the login may not go on.
    private let owned: (owner: any LoginOwner, login: ReturnedLogin)?

    init(_ signIn: PendingExtensionSignIn, loginID: [UInt8], deletion: HTTPField, context: RequestContext) {
        self.context = context
        self.signIn = signIn
        self.loginID = loginID
        self.deletion = deletion
        let owner = context.snapshot.owner(of: signIn.login, at: signIn.provider)
        owned = owner.flatMap { owner in signIn.returned(loginID, in: context).map { (owner, $0) } }
    }

    /// Responds with what the extension makes of the sign-in. It does not fail.
    func handOver(
        _ work: (any LoginOwner, ReturnedLogin, BrokerAccess) -> EventLoopFuture<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        guard let owned else { return .value(end(.changed)) }
        return Eventual.future(work(owned.owner, owned.login, BrokerAccess(context))).flatMapThrowing { response in
            log(.signedIn, subject: signIn.subject)
            return deletingCookie(response.noting(Outcome.signedIn.label, owned.login.reference))
        }.recover { end(($0 as? RefusedDelivery)?.outcome ?? .storeUnavailable) }
    }

    /// Ends the login without a sign-in.
    func end(_ outcome: Outcome) -> BrokerResponse {
        guard let owned, outcome.error != nil else {
            let reference = log(outcome)
            return deletingCookie(
                .page(
                    outcome.page(
                        context.pages(in: signIn.language), appName: snapshot.displayedName(of: signIn.login),
                        reference: reference, link: nil)
                ).noting(outcome.label, reference))
        }
        log(outcome)
        let response = owned.owner.response(to: outcome, of: owned.login, with: BrokerAccess(context))
        return deletingCookie(response.noting(outcome.label, owned.login.reference))
    }

    private func deletingCookie(_ response: consuming BrokerResponse) -> BrokerResponse {
        response.head.headerFields.append(deletion)
        return response
    }

    @discardableResult
    private func log(_ outcome: Outcome, subject: String? = nil) -> PageReference? {
        let provider = snapshot.provider(name: signIn.provider)
        return CallbackLog.write(
            outcome, provider: provider?.id, number: provider?.number, app: signIn.login.client,
            login: PageReference(loginID: loginID), subject: subject, in: context)
    }
}

extension PendingExtensionSignIn {
    /// The login as its extension sees it; `nil` if its provider is not configured any more.
    func returned(_ loginID: [UInt8], in context: RequestContext) -> ReturnedLogin? {
        context.snapshot.provider(name: provider).map {
            ReturnedLogin(
                login: login, provider: BrokerAccess.Provider($0, context), loginID: loginID, language: language)
        }
    }

    /// The page on which the user continues or cancels.
    func page(_ loginID: [UInt8], in context: RequestContext) -> Page {
        context.pages(in: language).proceed(
            appName: context.snapshot.displayedName(of: login),
            account: waiting.account.flatMap { DisplayedAccount.text($0) },
            destination: waiting.destination, loginID: loginID, in: context)
    }
}
