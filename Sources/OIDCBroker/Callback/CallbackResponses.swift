// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty

/// The responses to a callback: a page, or a redirect to the app. Each is logged, counted and audited.
struct CallbackResponses: RequestHandling {
    let context: RequestContext

    /// Returns a page after which the login may continue: its cookie is not deleted.
    func page(_ outcome: Outcome, _ known: KnownLogin) -> BrokerResponse {
        let reference = log(outcome, known)
        return .page(
            outcome.page(
                context.pages(in: known.language), appName: known.displayedAppName,
                reference: reference,
                link: AppRedirect.link(known.redirectURI),
                // Whoever came second does not know whether the first one signed in.
                otherLink: outcome == .alreadyFinished ? startAgain(known) : nil)
        ).noting(outcome.label, reference)
    }

    /// Where the person can start again; `nil` if only the app can make the request.
    private func startAgain(_ known: KnownLogin) -> PageLink? {
        guard let app = known.app, app.configuration.kind == .inProcess else { return nil }
        return .startAgain(url: InProcessFailure.path(app: app, destination: known.appState, in: snapshot))
    }

    /// Returns a page of a login after which the same URL can be used for another attempt.
    /// - Parameter retryAfter: The time until then, in seconds.
    func page(_ outcome: Outcome, _ login: CallbackLogin, retryAfter: Int64) -> BrokerResponse {
        var response = page(outcome, login.known)
        response.head.headerFields[.retryAfter] = String(retryAfter)
        return response
    }

    /// Returns the response that ends a login: a redirect to the app if there is an error for it, otherwise a page.
    /// - Parameter line: The log line of this outcome, if a client can cause it at will.
    func end(_ outcome: Outcome, _ login: CallbackLogin, as line: RepeatableLine? = nil) -> BrokerResponse {
        if case .app(let app, _) = login.recipient, app.configuration.kind == .inProcess {
            return endInProcess(outcome, login, of: app, as: line)
        }
        guard let error = outcome.error else {
            return deletingCookie(of: login, page(outcome, login.known))
        }
        log(outcome, login.known, as: line)
        let response =
            switch login.recipient {
            case .app(_, let redirectURI):
                AppRedirect(
                    destination: login.destination(at: redirectURI, issuer: snapshot.issuer), context: context
                ).response(error)
            case .ofExtension(let owner, let content):
                owner.response(to: outcome, of: login.returned(content, in: context), with: BrokerAccess(context))
            }
        return deletingCookie(of: login, response.noting(outcome.label, login.reference))
    }

    /// Returns the page that ends a login in process, from which the person can start again.
    private func endInProcess(
        _ outcome: Outcome, _ login: CallbackLogin, of app: AppEntry, as line: RepeatableLine?
    ) -> BrokerResponse {
        let reference = log(outcome, login.known, as: line)
        let again = InProcessFailure(app: app, destination: login.state.appState, context: context)
        return deletingCookie(
            of: login,
            .page(
                outcome.page(
                    context.pages(in: login.state.requirements.language),
                    appName: app.configuration.displayedName, reference: reference,
                    link: .startAgain(url: again.path))
            ).noting(outcome.label, reference))
    }

    /// Adds the deletion of the login's cookie to a response.
    func deletingCookie(of login: CallbackLogin, _ response: consuming BrokerResponse) -> BrokerResponse {
        response.head.headerFields.append(snapshot.cookie.delete(name: login.cookieName))
        return response
    }

    @discardableResult
    func log(
        _ outcome: Outcome, _ known: KnownLogin, as line: RepeatableLine? = nil,
        subject: @autoclosure () -> String? = nil, account: String? = nil
    ) -> PageReference? {
        CallbackLog.write(
            outcome, provider: known.provider?.id, number: known.provider?.number, app: known.appName,
            login: known.reference, as: line, subject: subject(), account: account, in: context)
    }
}
