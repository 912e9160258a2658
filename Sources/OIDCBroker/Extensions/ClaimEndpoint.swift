// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// The part of a claim that is the same for every extension: a navigation with the cookie of a login takes, once, the
/// sign-in that waits for it. Without the cookie there is a page, and nothing is used up.
struct ClaimEndpoint: RequestHandling {
    let context: RequestContext

    /// - Parameters:
    ///   - login: The ID of the login as received; `nil` if the request cannot be read.
    ///   - purpose: The purpose of the extension's logins.
    ///   - request: The request.
    ///   - work: Hands the sign-in over: its bytes and its login are the parameters.
    func respond(
        to request: BrokerRequest, login: WireText?, of purpose: String,
        _ work: @escaping @Sendable ([UInt8], ReturnedLogin) -> EventLoopFuture<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        func page(_ outcome: Outcome, _ login: PageReference? = nil) -> Eventual<BrokerResponse> {
            .value(self.page(outcome, login))
        }
        let fields = request.headerFields
        guard !FetchMetadata.isPrefetch(fields) else {
            return .value(.plain(status: .tooEarly, "").noting(Outcome.prefetch.label))
        }
        guard FetchMetadata.isDocumentNavigation(request) else { return page(.notNavigation) }
        guard let login, login.utf8.count == Self.loginLength, let loginID = Base64URL.decode(login),
            loginID.count == 16
        else {
            return page(.unreadable("no login"))
        }
        let reference = PageReference(loginID: loginID)
        let binding: [UInt8]
        switch snapshot.cookie.binding(loginID: loginID, in: Cookies(fields)) {
        case .found(let found): binding = found
        case .duplicate: return page(.duplicateCookie, reference)
        // It is not known whether such a login exists.
        case .absent: return page(.otherBrowser)
        }
        let held = PendingHandOff(loginID: loginID, binding: binding, until: .claim)
        let deletion = snapshot.cookie.delete(name: snapshot.cookie.name(loginID: loginID))
        // The page waits for the end of a sign-in.
        return context.services.store.within(SingleUseAccess.longPatience).take(
            held.key, claimSeconds: LoginState.lifetime, from: .waitingRecords, on: eventLoop
        ).flatMap { take in
            guard case .ofExtension(let signIn)? = take.value.flatMap({ held.open($0) }),
                signIn.login.purpose == purpose
            else { return .value(self.page(.alreadyFinished, reference)) }
            let taken = TakenSignIn(signIn, loginID: loginID, deletion: deletion, context: context)
            return taken.handOver { _, login, _ in work(signIn.waiting.content, login) }
        }.recover { _ in self.page(.storeUnavailable, reference) }
    }

    /// The number of characters of a login ID: the base64url of 16 bytes.
    private static let loginLength = 22

    private func page(_ outcome: Outcome, _ login: PageReference?) -> BrokerResponse {
        let reference = CallbackLog.write(outcome, provider: nil, app: nil, login: login, in: context)
        return .page(outcome.page(pages, reference: reference, link: nil)).noting(outcome.label, reference)
    }
}
