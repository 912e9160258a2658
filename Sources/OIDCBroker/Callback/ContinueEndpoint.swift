// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// The endpoint at which the user allows handing a credential to an app on the device (`POST continue`): a same-origin
/// form, bound to the login's cookie, which can be used once.
struct ContinueEndpoint: RequestHandling {
    let context: RequestContext

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            return .value(page(.notNavigation))
        }
        guard FormBody.isForm(fields) else {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let loginID = ((try? form.nonEmptyValue("login")) ?? nil).flatMap({ Base64URL.decode($0) }),
            loginID.count == 16, form.firstDuplicateName == nil
        else { return .value(page(.unreadable("no login"))) }
        let reference = PageReference(loginID: loginID)
        let binding: [UInt8]
        switch snapshot.cookie.binding(loginID: loginID, in: Cookies(fields)) {
        case .found(let found): binding = found
        case .duplicate: return .value(page(.otherBrowser, login: reference))
        case .absent: return withoutCookie(loginID)
        }
        let isCanceled = ((try? form.nonEmptyValue("action")) ?? nil) == "cancel"
        let held = PendingHandOff(loginID: loginID, binding: binding)
        let deletion = snapshot.cookie.delete(name: snapshot.cookie.name(loginID: loginID))
        let response = store.take(
            held.key, claimSeconds: LoginState.lifetime, from: .waitingRecords, on: eventLoop
        ).flatMap { take in
            let delivery: HandOffDelivery
            switch take.value.flatMap({ held.open($0) }) {
            case .ofApp(let found)?: delivery = found
            case .ofExtension(let signIn)?:
                return respond(for: signIn, isCanceled: isCanceled, loginID: loginID, deletion)
            case nil: return finished(loginID)
            }
            guard let app = snapshot.app(clientID: WireText(delivery.record.clientID)),
                app.redirectURI(WireText(delivery.destination.redirectURI.text)) != nil
            else { return .value(page(.changed, login: reference, of: delivery)) }
            return isCanceled
                ? cancel(delivery, app, loginID, deletion) : proceed(delivery, app, login: reference, deletion)
        }
        return response.recover { _ in page(.storeUnavailable, login: reference) }
    }

    /// Hands the credential off to the app.
    /// - Parameter deletion: The field that deletes the login's cookie.
    private func proceed(
        _ delivery: HandOffDelivery, _ app: AppEntry, login reference: PageReference, _ deletion: HTTPField
    ) -> Eventual<BrokerResponse> {
        delivery.issue(in: context) { issue in
            var response: BrokerResponse
            switch issue {
            case .success(let issued): response = issued
            case .failure(let refusal): return refuse(refusal.outcome, delivery, app, login: reference)
            }
            let person = audit.isOn ? delivery.record.person : (subject: nil, account: nil)
            CallbackLog.write(
                .signedIn, provider: provider(of: delivery), app: app.configuration.name, login: reference,
                subject: person.subject, account: person.account, in: context)
            response.head.headerFields.append(deletion)
            return response.noting(Outcome.signedIn.label, reference)
        }
    }

    /// Tells the app that the user canceled. A claim says so to a user agent that comes back with the login.
    /// - Parameter deletion: The field that deletes the login's cookie.
    private func cancel(
        _ delivery: HandOffDelivery, _ app: AppEntry, _ loginID: [UInt8], _ deletion: HTTPField
    ) -> Eventual<BrokerResponse> {
        noteCancellation(loginID).flatMapThrowing { _ in
            var response = refuse(.cancelled, delivery, app, login: PageReference(loginID: loginID))
            response.head.headerFields.append(deletion)
            return response
        }
    }

    /// Claims that the user canceled. The result changes nothing.
    func noteCancellation(_ loginID: [UInt8]) -> Eventual<SingleUseClaim> {
        store.claim(
            SingleUseKey(.canceledLogin, loginID), seconds: LoginState.lifetime, on: eventLoop
        ).recover { _ in .full }
    }

    /// A page for a form without the login's cookie, which the response to a first click deletes. A browser that opens an
    /// app on the device keeps the page, so the user may click again.
    private func withoutCookie(_ loginID: [UInt8]) -> Eventual<BrokerResponse> {
        briefStore.isClaimed(SingleUseKey(.login, loginID), on: eventLoop).recover { _ in false }
            .flatMap { isClaimed in
                // Without a claim it is not known whether such a login exists.
                isClaimed ? finished(loginID) : .value(page(.otherBrowser))
            }
            .recover { _ in page(.storeUnavailable) }
    }

    /// A page that says how a login without a waiting hand-off ended.
    private func finished(_ loginID: [UInt8]) -> Eventual<BrokerResponse> {
        briefStore.isClaimed(SingleUseKey(.canceledLogin, loginID), on: eventLoop).flatMapThrowing {
            page($0 ? .cancelled : .alreadyFinished, login: PageReference(loginID: loginID))
        }
    }

    private func refuse(
        _ outcome: Outcome, _ delivery: HandOffDelivery, _ app: AppEntry, login: PageReference
    ) -> BrokerResponse {
        guard let error = outcome.error else { return page(outcome, login: login, of: delivery, app) }
        let provider = provider(of: delivery)
        CallbackLog.write(
            outcome, provider: provider, number: provider.flatMap { snapshot.provider(named: WireText($0))?.number },
            app: app.configuration.name, login: login, in: context)
        return delivery.redirect(in: context).response(error).noting(outcome.label, login)
    }

    private func provider(of delivery: HandOffDelivery) -> String? {
        delivery.record.claims.object?["provider"]?.text?.ascii(atMost: 256)
    }

    private func page(
        _ outcome: Outcome, login: PageReference? = nil, of delivery: HandOffDelivery? = nil, _ app: AppEntry? = nil
    ) -> BrokerResponse {
        let reference = CallbackLog.write(outcome, provider: nil, app: nil, login: login, in: context)
        return .page(
            outcome.page(
                context.pages(in: delivery?.destination.language), appName: app?.configuration.displayedName,
                reference: reference,
                link: AppRedirect.link(delivery?.destination.redirectURI))
        ).noting(outcome.label, reference)
    }
}
