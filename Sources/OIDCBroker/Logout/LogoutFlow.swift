// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The end session endpoint for apps (OpenID Connect RP-Initiated Logout 1.0).
///
/// The broker keeps no session in the browser. That the user meant a request is proved by the cookie that keeps the ID token
/// of the provider, together with a hint of the same user; else a page of the broker's own origin asks. Then the user agent
/// is sent to the provider's end session endpoint, if it has one, and from there to the app. The app's session that the hint
/// names ends.
struct LogoutFlow: RequestHandling {
    let context: RequestContext
    private var responses: LogoutResponses { LogoutResponses(context: context) }

    /// The request of an app (`GET` or `POST logout`). What is refused gets a page.
    func respond(to request: BrokerRequest, query: Substring) -> Eventual<BrokerResponse> {
        let now = services.clock.now()
        do throws(LogoutRefusal) {
            // 1. Let the navigation of a browser in, and find its parameters.
            let parameters = try parameters(of: request, query: query)
            // 2. Read the request (RP-Initiated Logout 1.0 section 2).
            let logout = try LogoutRequest(parameters, snapshot: snapshot, now: now)
            if let remark = logout.remark { responses.log("part of a logout request ignored", remark) }
            let pending = logout.pending(at: now)
            // 3. Go on if the cookie proves that the user of the hint asks. Otherwise ask the user.
            guard isProved(logout, pending, by: request) else { return .value(try responses.ask(pending)) }
            return proceed(pending, request)
        } catch {
            return .value(responses.refuse(error))
        }
    }

    /// Goes on after the user confirmed (`POST logout/confirm`).
    func respondToConfirmation(_ request: BrokerRequest) -> Eventual<BrokerResponse> {
        let now = services.clock.now()
        do throws(LogoutRefusal) {
            // 4. Open what the page of this origin sent. A page that was open for too long asks again.
            let pending = try confirmed(request)
            guard !pending.isStale(at: now) else { return .value(try responses.ask(pending.renewed(at: now))) }
            return proceed(pending, request)
        } catch {
            return .value(responses.refuse(error))
        }
    }

    /// The steps of every logout that was proved or confirmed.
    private func proceed(_ pending: PendingLogout, _ request: BrokerRequest) -> Eventual<BrokerResponse> {
        // 5. End the session that the hint names.
        guard let app = pending.app.flatMap({ snapshot.app(name: $0) }), let session = pending.session,
            let sessions = snapshot.extensions.sessions
        else { return leave(pending, request) }
        let ended = sessions.end(sessionOfCode: session, of: app.clientID, on: eventLoop)
        return Eventual<Void>.future(ended.hop(to: eventLoop)).flatMap {
            leave(pending, request)
        } failure: { error in
            // The user leaves all the same, and the session ends with its time.
            logUnavailableAccounts(error, app: app, at: .logout, message: "session not ended at a logout")
            return leave(pending, request)
        }
    }

    private func leave(_ pending: PendingLogout, _ request: BrokerRequest) -> Eventual<BrokerResponse> {
        guard let provider = provider(of: pending) else { return .value(responses.finish(pending)) }
        let cookies = Cookies(request.headerFields)
        // 6. Know the end session endpoint of the provider. Without one, the logout is at its end.
        return provider.relyingParty.metadata(on: eventLoop).flatMapThrowing { metadata in
            guard let endpoint = metadata.endSessionEndpoint else { return responses.finish(pending) }
            // 7. Send the user agent there.
            return leave(for: endpoint, of: provider, pending, kept(for: provider, cookies)?.idToken)
        }.recover { _ in
            responses.finish(pending)
        }.flatMapThrowing { response in
            var response = response
            if let deletion = snapshot.signOutCookie.deletion(at: provider.position, in: cookies) {
                response.head.headerFields.append(deletion)
            }
            return response
        }
    }

    /// Ends a logout whose user agent comes back from the provider (`GET logout/done`).
    func respondToReturn(_ request: BrokerRequest, query: Substring) -> BrokerResponse {
        guard FetchMetadata.isDocumentNavigation(request) else {
            return responses.refuse(LogoutRefusal("not a navigation", status: .forbidden))
        }
        // 8. Open the state. Without it, as some providers return, the app of the sign-out is not known.
        guard let parameters = try? FormURLEncoding.parse(query),
            var pending = pending((try? parameters.nonEmptyValue("state")) ?? nil, .provider)
        else { return responses.finish() }
        // 9. Send the user agent to the app, however long the user was at the provider.
        let cookies = Cookies(request.headerFields)
        pending.restoreState(from: snapshot.signOutCookie.states(in: cookies))
        var response = responses.finish(pending)
        if let deletion = snapshot.signOutCookie.stateDeletion(in: cookies) {
            response.head.headerFields.append(deletion)
        }
        return response
    }

    // MARK: 1 and 3

    private func parameters(of request: BrokerRequest, query: Substring) throws(LogoutRefusal) -> Parameters {
        guard FetchMetadata.isDocumentNavigation(request) else {
            throw LogoutRefusal("not a navigation", status: .forbidden)
        }
        do {
            guard request.method == .post else { return try FormURLEncoding.parse(query) }
            guard FormBody.isForm(request.headerFields) else { throw LogoutRefusal.noForm }
            guard query.isEmpty else { throw LogoutRefusal("parameters in both query and form") }
            return try FormURLEncoding.parse(request.body.readableBytesView)
        } catch let refusal as LogoutRefusal {
            throw refusal
        } catch {
            throw LogoutRefusal("\(error)")
        }
    }

    /// Whether the user of a verified hint signed in with this user agent, and nothing of the request is ignored. A page of
    /// another origin may lead here by a link, for which it needs the ID token of that user, but not by a form.
    private func isProved(_ logout: LogoutRequest, _ pending: PendingLogout, by request: BrokerRequest) -> Bool {
        let fields = request.headerFields
        guard let subject = logout.subject, logout.remark == nil, let provider = provider(of: pending),
            !FetchMetadata.isPrefetch(fields),
            request.method == .get
                || FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin)
        else { return false }
        return kept(for: provider, Cookies(fields))?.subject.hasSameBytes(as: subject) ?? false
    }

    /// What the cookie of a provider keeps; `nil` if there is none, or two.
    private func kept(for provider: ProviderEntry, _ cookies: Cookies) -> KeptIDToken? {
        snapshot.signOutCookie.kept(
            at: provider.position, fingerprint: provider.fingerprint, in: cookies, sealer: snapshot.sealer,
            now: services.clock.now())
    }

    // MARK: 4 to 8

    private func confirmed(_ request: BrokerRequest) throws(LogoutRefusal) -> PendingLogout {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            throw LogoutRefusal("another origin", status: .forbidden)
        }
        guard FormBody.isForm(fields) else { throw .noForm }
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let pending = pending((try? form.nonEmptyValue("logout")) ?? nil, .confirmation)
        else { throw LogoutRefusal("the confirmation is not valid") }
        return pending
    }

    private func pending(_ sealed: WireText?, _ phase: PendingLogout.Phase) -> PendingLogout? {
        guard let plaintext = sealed.flatMap({ snapshot.sealer.open($0, for: .logout) })?.plaintext,
            let pending = PendingLogout(encoded: plaintext), pending.phase == phase
        else { return nil }
        return pending
    }

    /// The provider at which the user is signed out; `nil` if it is not known or is not to be asked.
    private func provider(of pending: PendingLogout) -> ProviderEntry? {
        guard let provider = pending.provider.flatMap({ snapshot.provider(name: $0) }), provider.hasWebFlow,
            provider.configuration.logout
        else { return nil }
        return provider
    }

    /// - Parameter hint: The provider's own ID token; `nil` if it is not at hand. Without it a provider may ask the user.
    private func leave(
        for endpoint: AbsoluteURL, of provider: ProviderEntry, _ pending: PendingLogout, _ hint: String?
    ) -> BrokerResponse {
        var pending = pending
        pending.phase = .provider
        let fits = StateSealer.fits(pending.encoded.count, for: .login)
        let kept = fits ? nil : pending.keepStateInCookie().map { snapshot.signOutCookie.set(state: $0) }
        guard let state = snapshot.sealer.seal(pending.encoded, for: .logout) else { return responses.finish(pending) }
        logger.debug("logout continues at the provider", metadata: ["auth.provider": "\(provider.id)"])
        let parameters = [
            ("client_id", provider.relyingParty.configuration.clientID),
            ("post_logout_redirect_uri", snapshot.configuration.publicURL.origin + snapshot.paths[.loggedOut]),
            ("state", state),
        ]
        func response(_ parameters: [(String, String)]) -> BrokerResponse {
            var response = BrokerResponse.seeOther(AuthorizationRequest.url(endpoint, adding: parameters))
            if let kept { response.head.headerFields.append(kept) }
            return response
        }
        // Not in a head that a proxy would refuse.
        let hinted = hint.map { response(parameters + [("id_token_hint", $0)]) }
        let short = hinted.flatMap { SignOutCookie.fits(in: $0) ? $0 : nil }
        return responses.counting(.redirected, short ?? response(parameters))
    }
}
