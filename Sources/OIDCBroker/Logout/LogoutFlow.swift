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
struct LogoutFlow: RequestHandling {
    let context: RequestContext

    /// Why a request is refused.
    private enum Refusal: Error {
        case reason(String, HTTPResponse.Status = .badRequest)
        /// A body that is no form.
        case noForm
    }

    /// Asks the person (`GET` or `POST logout`). What is refused gets a page.
    func respond(to request: BrokerRequest, query: Substring) -> BrokerResponse {
        let now = services.clock.now()
        do throws(Refusal) {
            // 1. Let the navigation of a browser in, and find its parameters.
            let parameters = try parameters(of: request, query: query)
            // 2. Read the request (RP-Initiated Logout 1.0 section 2).
            let logout = try read(parameters, now: now)
            // 3. Seal it into the page, until the person confirms.
            let sealed = try seal(logout, now: now)
            // 4. Ask the person: nothing proves that it was meant.
            let page = context.pages(in: logout.language).confirmLogout(
                appName: logout.app?.configuration.displayedName, action: snapshot.paths[.confirmLogout],
                logout: sealed, cancel: AppRedirect.link(to: logout.app)?.url)
            return counting(.asked, .page(page))
        } catch {
            return refuse(error)
        }
    }

    /// Goes on after the person confirmed (`POST logout/confirm`).
    func respondToConfirmation(_ request: BrokerRequest) -> Eventual<BrokerResponse> {
        let pending: PendingLogout
        do throws(Refusal) {
            // 5. Open what the page of this origin sent.
            pending = try confirmed(request)
        } catch {
            return .value(refuse(error))
        }
        guard let provider = provider(of: pending) else { return .value(finish(pending)) }
        // 6. Know the end session endpoint of the provider. Without one, the logout is at its end.
        return provider.relyingParty.metadata(on: eventLoop).flatMapThrowing { metadata in
            guard let endpoint = metadata.endSessionEndpoint else { return finish(pending) }
            // 7. Send the user agent there.
            return leave(for: endpoint, of: provider, pending)
        }.recover { _ in finish(pending) }
    }

    /// Ends a logout whose user agent comes back from the provider (`GET logout/done`).
    func respondToReturn(_ request: BrokerRequest, query: Substring) -> BrokerResponse {
        guard FetchMetadata.isDocumentNavigation(request) else {
            return refuse(.reason("not a navigation", .forbidden))
        }
        // A provider may leave the state out. Then it is not known of which app the person is logged out.
        guard let parameters = try? FormURLEncoding.parse(query), parameters.hasValue("state") else {
            return counting(.finished, .page(pages.loggedOut()))
        }
        // 8. Open the state.
        guard let pending = pending((try? parameters.nonEmptyValue("state")) ?? nil, .provider) else {
            return refuse(.reason("the state is not valid"))
        }
        // 9. Send the user agent to the app.
        return finish(pending)
    }

    // MARK: 1 to 3

    private func parameters(of request: BrokerRequest, query: Substring) throws(Refusal) -> Parameters {
        guard FetchMetadata.isDocumentNavigation(request) else { throw .reason("not a navigation", .forbidden) }
        do {
            guard request.method == .post else { return try FormURLEncoding.parse(query) }
            guard FormBody.isForm(request.headerFields) else { throw Refusal.noForm }
            guard query.isEmpty else { throw Refusal.reason("parameters in both query and form") }
            return try FormURLEncoding.parse(request.body.readableBytesView)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .reason("\(error)")
        }
    }

    private func read(_ parameters: Parameters, now: Int64) throws(Refusal) -> LogoutRequest {
        do throws(LogoutRequest.Refusal) {
            return try LogoutRequest(parameters, snapshot: snapshot, now: now)
        } catch {
            throw .reason(error.description)
        }
    }

    private func seal(_ logout: LogoutRequest, now: Int64) throws(Refusal) -> String {
        let pending = PendingLogout(
            phase: .confirmation, issuedAt: now, app: logout.app?.configuration.name, provider: logout.provider?.name,
            redirectURI: logout.redirectURI?.text, state: logout.state, language: logout.language)
        guard let sealed = snapshot.sealer.seal(pending.encoded, for: .logout) else {
            throw .reason("the request is too long")
        }
        return sealed
    }

    // MARK: 5 to 9

    private func confirmed(_ request: BrokerRequest) throws(Refusal) -> PendingLogout {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            throw .reason("another origin", .forbidden)
        }
        guard FormBody.isForm(fields) else { throw .noForm }
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let pending = pending((try? form.nonEmptyValue("logout")) ?? nil, .confirmation)
        else { throw .reason("the confirmation is not valid") }
        return pending
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
        logger.debug("logout continues at the provider", metadata: ["auth.provider": "\(provider.id)"])
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

    private func refuse(_ refusal: Refusal) -> BrokerResponse {
        guard case .reason(let reason, let status) = refusal else {
            return .plain(status: .unsupportedMediaType, "A form is expected.\n")
        }
        let line = services.line(.refusedLogout, at: .logout)
        if let metadata = line.metadata {
            logger.info(
                "logout refused",
                metadata: metadata.merging(["auth.detail": "\(LogText.detail(reason))"]) { own, _ in own })
        }
        let page = pages.failure(
            pages.texts.brokenSignOut, status: status, reference: line.reference,
            link: AppRedirect.link(to: snapshot.onlyApp))
        return counting(.refused, .page(page), line.reference)
    }

    private func counting(
        _ outcome: LogoutOutcome, _ response: BrokerResponse, _ reference: PageReference? = nil
    ) -> BrokerResponse {
        metrics.logouts.increment(outcome.rawValue)
        return response.noting(outcome.rawValue, reference)
    }
}
