// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The end session endpoint for apps (OpenID Connect RP-Initiated Logout 1.0).
///
/// The broker keeps no session, so nothing proves that a request was meant by the person in front of this user agent. A
/// page of the broker's own origin always asks first. Then the user agent is sent to the provider's end session
/// endpoint, if it has one, and from there to the app.
struct LogoutEndpoint: RequestHandling {
    let context: RequestContext

    /// Asks the person (`GET` or `POST logout`).
    func respond(to request: BrokerRequest, query: Substring) -> BrokerResponse {
        guard FetchMetadata.isNavigation(request.headerFields) else { return refuse("not a navigation", .forbidden) }
        let parameters: Parameters
        do {
            if request.method == .post {
                guard FormBody.isForm(request.headerFields) else {
                    return .plain(status: .unsupportedMediaType, "A form is expected.\n")
                }
                guard query.isEmpty else { return refuse("parameters in both query and form") }
                parameters = try FormURLEncoding.parse(request.body.readableBytesView)
            } else {
                parameters = try FormURLEncoding.parse(query)
            }
        } catch {
            return refuse("\(error)")
        }
        let now = services.clock.now()
        let logout: LogoutRequest
        do throws(LogoutRequest.Refusal) {
            logout = try LogoutRequest(parameters, snapshot: snapshot, now: now)
        } catch {
            return refuse(error.description)
        }
        let pending = PendingLogout(
            phase: .confirmation, issuedAt: now, app: logout.app?.configuration.name, provider: logout.provider?.name,
            redirectURI: logout.redirectURI?.text, state: logout.state, language: logout.language)
        guard let sealed = snapshot.sealer.seal(pending.encoded, for: .logout) else {
            return refuse("the request is too long")
        }
        return counting(
            .asked,
            .page(
                context.pages(in: logout.language).confirmLogout(
                    appName: logout.app?.configuration.displayedName, action: snapshot.paths[.confirmLogout],
                    logout: sealed)))
    }

    /// Continues after the person confirmed (`POST logout/confirm`).
    func respondToConfirmation(_ request: BrokerRequest) -> Eventual<BrokerResponse> {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            return .value(refuse("another origin", .forbidden))
        }
        guard FormBody.isForm(fields) else {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let pending = pending((try? form.nonEmptyValue("logout")) ?? nil, .confirmation)
        else { return .value(refuse("the confirmation is not valid")) }
        guard let provider = provider(of: pending) else { return .value(finish(pending)) }
        return provider.relyingParty.metadata(on: eventLoop).flatMapThrowing { metadata in
            guard let endpoint = metadata.endSessionEndpoint else { return finish(pending) }
            return leave(for: endpoint, of: provider, pending)
        }.recover { _ in finish(pending) }
    }

    /// Ends a logout whose user agent comes back from the provider (`GET logout/done`).
    func respondToReturn(_ request: BrokerRequest, query: Substring) -> BrokerResponse {
        guard FetchMetadata.isNavigation(request.headerFields) else { return refuse("not a navigation", .forbidden) }
        // A provider may leave the state out. Then it is not known of which app the person is logged out.
        guard let parameters = try? FormURLEncoding.parse(query), parameters.contains("state") else {
            return counting(.finished, .page(pages.loggedOut()))
        }
        guard let pending = pending((try? parameters.nonEmptyValue("state")) ?? nil, .provider) else {
            return refuse("the state is not valid")
        }
        return finish(pending)
    }

    private func pending(_ sealed: WireText?, _ phase: PendingLogout.Phase) -> PendingLogout? {
        guard let plaintext = sealed.flatMap({ snapshot.sealer.open($0, for: .logout) })?.plaintext,
            let pending = PendingLogout(encoded: plaintext), pending.phase == phase,
            !pending.isStale(at: services.clock.now())
        else { return nil }
        return pending
    }

    /// The provider at which the person is logged out; `nil` if it is not known or is not to be asked.
    private func provider(of pending: PendingLogout) -> ProviderEntry? {
        guard let provider = pending.provider.flatMap({ snapshot.provider(name: $0) }), provider.hasWebFlow,
            provider.configuration.logout
        else { return nil }
        return provider
    }

    private func leave(
        for endpoint: AbsoluteURL, of provider: ProviderEntry, _ pending: PendingLogout
    ) -> BrokerResponse {
        var pending = pending
        pending.phase = .provider
        guard let state = snapshot.sealer.seal(pending.encoded, for: .logout) else { return finish(pending) }
        logger.debug("a logout goes on to the provider", metadata: ["auth.provider": "\(provider.id)"])
        let url = AuthorizationRequest.url(
            endpoint,
            adding: [
                ("client_id", provider.relyingParty.configuration.clientID),
                ("post_logout_redirect_uri", snapshot.configuration.publicURL.origin + snapshot.paths[.loggedOut]),
                ("state", state),
            ])
        return counting(.redirected, .seeOther(url))
    }

    /// Sends the user agent to the app, if the app still has the URI, or shows a page.
    private func finish(_ pending: PendingLogout) -> BrokerResponse {
        guard let app = pending.app.flatMap({ snapshot.app(name: $0) }), let text = pending.redirectURI,
            let redirectURI = app.postLogoutRedirectURI(WireText(text))
        else { return counting(.finished, .page(context.pages(in: pending.language).loggedOut())) }
        let separator = redirectURI.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let url =
            pending.state.map { FormURLEncoding.encode([("state", $0)], behind: redirectURI.text + separator) }
            ?? redirectURI.text
        return counting(.finished, .seeOther(url))
    }

    private func refuse(_ reason: String, _ status: HTTPResponse.Status = .badRequest) -> BrokerResponse {
        let line = services.line(.refusedLogout, at: .logout)
        if let metadata = line.metadata {
            logger.info(
                "a logout was refused",
                metadata: metadata.merging(["auth.detail": "\(LogText.detail(reason))"]) { own, _ in own })
        }
        let pages = pages
        return counting(
            .refused, .page(pages.failure(pages.texts.brokenSignOut, status: status, reference: line.reference)),
            line.reference)
    }

    private func counting(
        _ outcome: LogoutOutcome, _ response: BrokerResponse, _ reference: PageReference? = nil
    ) -> BrokerResponse {
        metrics.logouts.increment(outcome.rawValue)
        return response.noting(outcome.rawValue, reference)
    }
}

/// How a request for a logout ended: the label of its counter.
enum LogoutOutcome: String, CaseIterable {
    /// The person is asked.
    case asked
    /// The browser was sent on to the provider.
    case redirected
    /// The browser was sent on to the app, or sees that the person is logged out.
    case finished
    /// The request was refused.
    case refused
}
