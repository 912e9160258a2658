// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect

/// The responses to a logout: a page, or a redirect to the app. Each is counted.
struct LogoutResponses: RequestHandling {
    let context: RequestContext

    /// Asks the user, and seals the logout into the page.
    func ask(_ pending: PendingLogout) throws(LogoutRefusal) -> BrokerResponse {
        let app = app(of: pending)
        guard let sealed = snapshot.sealer.seal(pending.encoded, for: .logout) else {
            throw LogoutRefusal("the request is too long", app: app)
        }
        let page = context.pages(in: pending.language).confirmLogout(
            appName: app?.configuration.displayedName, action: snapshot.paths[.confirmLogout], logout: sealed,
            cancel: AppRedirect.link(to: app)?.url)
        return counting(.asked, .page(page))
    }

    /// Sends the user agent to the app, if the app still has the URI, or shows a page that leads back to the app.
    func finish(_ pending: PendingLogout) -> BrokerResponse {
        let app = app(of: pending)
        guard let text = pending.redirectURI, let redirectURI = app?.postLogoutRedirectURI(WireText(text)) else {
            let link = AppRedirect.link(to: app ?? snapshot.onlyApp)
            return counting(.finished, .page(context.pages(in: pending.language).loggedOut(link: link)))
        }
        let separator = redirectURI.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let url =
            pending.state.map { FormURLEncoding.encode([("state", $0)], behind: redirectURI.text + separator) }
            ?? redirectURI.text
        return counting(.finished, .seeOther(url))
    }

    /// Ends an unknown logout, for example if a provider omits the `state`.
    func finish() -> BrokerResponse {
        counting(.finished, .page(pages.loggedOut(link: AppRedirect.link(to: snapshot.onlyApp))))
    }

    func refuse(_ refusal: LogoutRefusal) -> BrokerResponse {
        guard refusal.status != .unsupportedMediaType else {
            return .plain(status: .unsupportedMediaType, "A form is expected.\n")
        }
        let reference = log("logout refused", refusal.reason)
        let page = pages.failure(
            pages.texts.brokenSignOut, status: refusal.status, reference: reference,
            link: AppRedirect.link(to: refusal.app ?? snapshot.onlyApp))
        return counting(.refused, .page(page), reference)
    }

    /// Logs what is wrong with a request, at most one line a second.
    @discardableResult
    func log(_ message: Logger.Message, _ detail: String) -> PageReference? {
        let line = services.line(.refusedLogout, at: .logout)
        if let metadata = line.metadata {
            logger.info(
                message, metadata: metadata.merging(["auth.detail": "\(LogText.detail(detail))"]) { own, _ in own })
        }
        return line.reference
    }

    func counting(
        _ outcome: LogoutOutcome, _ response: BrokerResponse, _ reference: PageReference? = nil
    ) -> BrokerResponse {
        metrics.logouts.increment(outcome.rawValue)
        return response.noting(outcome.rawValue, reference)
    }

    private func app(of pending: PendingLogout) -> AppEntry? { pending.app.flatMap { snapshot.app(name: $0) } }
}
