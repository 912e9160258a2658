// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OpenIDConnect
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// The responses to a callback: a page, or a redirect to the app. Each is logged, counted and audited.
struct CallbackResponses: RequestHandling {
    let context: RequestContext

    /// Responds to a callback without a login that can go on.
    func end(
        _ end: CallbackEnd, _ request: BrokerRequest, path: String, query: Substring
    ) -> Eventual<BrokerResponse> {
        switch end {
        case .page(let outcome, let login): return .value(page(outcome, login))
        case .prefetch:
            log(.prefetch, .unknown)
            return .value(.plain(status: .tooEarly, "").noting(Outcome.prefetch.label))
        case .noForm: return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        case .fragment:
            log(.readingFragment, .unknown)
            return .value(.page(pages.fragment(action: path)).noting(Outcome.readingFragment.label))
        case .repost(let parameters, let login):
            log(.reposting, login)
            return .value(
                .page(repost(parameters, path: path, language: login.language))
                    .noting(Outcome.reposting.label, login.reference))
        case .noCookie(let state, let login, let error):
            // A page, because it is unknown whose user agent this is. An error leaves no claim, so that a callback with
            // it says the same each time.
            return isClaimed(state).flatMap { isClaimed in
                guard !isClaimed else { return ReplayedCallback(context: context, state: state).outcome() }
                return .value(error.map { Outcome(of: $0) } ?? .otherBrowser)
            }.flatMapThrowing { page($0, login) }
        case .handlerStart:
            guard request.method == .get, path == snapshot.paths[.callback],
                let route = snapshot.extensions.routes.lazy.compactMap(\.startAtCallback).first
            else { return .value(page(.reservedForFirebase, .unknown)) }
            // Its path is that of a callback, so its memory was counted as a callback's.
            let limits = LimitResponses(context: context)
            if let refusal = limits.refusal(ofStartAtCallback: request, on: .ofExtension(route)) {
                return .value(refusal)
            }
            return .future(route.respond(request, BrokerAccess(context: context, path: path, query: query)))
        }
    }

    /// A page that sends the same fields again from the broker's own origin, so that the user agent sends the cookie.
    private func repost(_ parameters: Parameters, path: String, language: Language?) -> Page {
        let known = parameters.all.compactMap { field in
            AuthorizationResponse.names.first { field.name.hasSameBytes(asASCII: $0) }
                .map { (name: $0, value: field.value.makeString()) }
        }
        return context.pages(in: language).repost(
            action: path, fields: known + [(name: CallbackReader.repostMark, value: "1")])
    }

    /// Returns a page after which the login may continue: its cookie is not deleted.
    func page(_ outcome: Outcome, _ known: LoginDescription) -> BrokerResponse {
        let reference = log(outcome, known)
        return .page(
            outcome.page(
                context.pages(in: known.language), appName: known.displayedAppName,
                reference: reference,
                link: AppRedirect.link(known.redirectURI)
                    // It is not known which login the callback is of.
                    ?? (known.reference == nil ? AppRedirect.link(to: snapshot.onlyApp) : nil),
                // The second request does not know whether the first one signed in.
                otherLink: outcome == .alreadyFinished || outcome == .expired ? startAgain(known) : nil)
        ).noting(outcome.label, reference)
    }

    /// Where the user can start again: at the app, which gets the error of a login that took too long. Only the app can make
    /// the request again. `nil` if it takes no response in a link.
    private func startAgain(_ known: LoginDescription) -> PageLink? {
        guard let app = known.app else { return nil }
        guard app.configuration.kind == .oidc else {
            return .startAgain(url: InProcessFailure.path(app: app, destination: known.appState, in: snapshot))
        }
        guard let destination = known.destination(issuer: snapshot.issuer) else { return nil }
        return AppRedirect(destination: destination, context: context).url(.expiredLogin).map { .startAgain(url: $0) }
    }

    /// Returns a page of a login after which the same URL can be used for another attempt.
    /// - Parameter retryAfter: The time until then, in seconds.
    func page(_ outcome: Outcome, _ login: CallbackLogin, retryAfter: Int64) -> BrokerResponse {
        var response = page(outcome, login.description)
        response.head.headerFields[.retryAfter] = String(retryAfter)
        return response
    }

    /// Returns the response that ends a login: a redirect to the app if there is an error for it, otherwise a page.
    /// - Parameter line: The log line of this outcome, if a client can cause it at will.
    func end(_ outcome: Outcome, _ login: CallbackLogin, as line: RepeatableEvent? = nil) -> BrokerResponse {
        if case .app(let app, _) = login.recipient, app.configuration.kind == .inProcess {
            return endInProcess(outcome, login, of: app, as: line)
        }
        guard let error = outcome.error else {
            return deletingCookie(of: login, page(outcome, login.description))
        }
        log(outcome, login.description, as: line)
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

    /// Returns the page that ends a login in process, from which the user can start again.
    private func endInProcess(
        _ outcome: Outcome, _ login: CallbackLogin, of app: AppEntry, as line: RepeatableEvent?
    ) -> BrokerResponse {
        let reference = log(outcome, login.description, as: line)
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

    /// Leaves the provider's ID token with the user agent for the sign-out, if the provider has an end session endpoint.
    /// - Parameter subject: The broker's `sub` of the user.
    func keepingIDToken(
        _ signIn: VerifiedSignIn, subject: String, of login: CallbackLogin, _ response: consuming BrokerResponse
    ) -> BrokerResponse {
        let provider = login.provider
        guard provider.configuration.logout,
            // They were needed a moment ago. No request waits for them again.
            case .value(let metadata) = provider.relyingParty.metadata(on: eventLoop),
            metadata.endSessionEndpoint != nil
        else { return response }
        snapshot.signOutCookie.set(
            KeptIDToken(
                issuedAt: services.clock.now(), fingerprint: provider.fingerprint, subject: subject,
                idToken: signIn.idToken.exposed),
            at: provider.position, sealer: snapshot.sealer, in: &response)
        return response
    }

    @discardableResult
    func log(
        _ outcome: Outcome, _ known: LoginDescription, as line: RepeatableEvent? = nil,
        subject: @autoclosure () -> String? = nil, account: String? = nil
    ) -> PageReference? {
        CallbackLog.write(
            outcome, provider: known.provider?.id, number: known.provider?.number, app: known.appName,
            login: known.reference, as: line, subject: subject(), account: account, in: context)
    }
}

extension RequestHandling {
    /// Whether a login returned already. This only determines the words of a page, so an unavailable store counts as
    /// no.
    func isClaimed(_ state: LoginState) -> Eventual<Bool> {
        briefStore.isClaimed(SingleUseKey(.login, state.loginID), on: eventLoop).recover { _ in false }
    }
}
