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

/// The callback: the redirect URI to which the provider sends the user agent back.
///
/// It checks, in this order, the parameters, the state, the cookie, `iss`, and the ID token of the authorization
/// response. Then it claims the login, and only then exchanges the code. A callback that ends before the
/// claim uses nothing up: an error, a response of another issuer, or an ID token that the provider did not issue for
/// this login costs an attacker no more than a request, so it must not leave anything behind.
struct CallbackEndpoint: RequestHandling {
    let context: RequestContext
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    func respond(to request: BrokerRequest, path: String, query: Substring) -> Eventual<BrokerResponse> {
        let begin = eventLoop.now
        let fields = request.headerFields
        let isPost = request.method == .post
        // A prefetch must not use the login up. The user agent sends the request again when the person navigates there.
        if FetchMetadata.isPrefetch(fields) {
            responses.log(.prefetch, .unknown)
            return .value(.plain(status: .tooEarly, "").noting(Outcome.prefetch.label))
        }
        if !FetchMetadata.isNavigation(request) {
            return .value(responses.page(.notNavigation, .unknown))
        }
        if isPost, !FormBody.isForm(fields) {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        if !isPost, query.isEmpty, snapshot.fragmentPaths.contains(WireText(path)) {
            responses.log(.readingFragment, .unknown)
            return .value(.page(pages.fragment(action: path)).noting(Outcome.readingFragment.label))
        }
        let reader = CallbackReader(snapshot: snapshot, now: services.clock.now())
        let reading = reader.read(request, path: path, query: query)
        if let span = context.span, let start = reading.start { span.link(to: start) }
        switch reading {
        case .end(let outcome, let known):
            return .value(responses.page(outcome, known))
        case .repost(let parameters, let known):
            responses.log(.reposting, known)
            return .value(
                .page(repost(parameters, path: path, language: known.language))
                    .noting(Outcome.reposting.label, known.reference))
        case .noCookie(let state, let known, let error):
            return .future(withoutCookie(state, known, error: error))
        case .handlerStart:
            return handlerStart(request, path: path, query: query)
        case .login(let login, let response):
            return CallbackCompletion(context: context, login: login).complete(response, since: begin)
        }
    }

    /// Lets the extension respond that takes the starts of the SDKs of Firebase.
    private func handlerStart(_ request: BrokerRequest, path: String, query: Substring) -> Eventual<BrokerResponse> {
        guard request.method == .get, path == snapshot.paths[.callback],
            let owner = snapshot.extensions.first(where: { $0.takesHandlerStarts })
        else { return .value(responses.page(.reservedForFirebase, .unknown)) }
        return .future(owner.respond(to: request, with: BrokerAccess(context: context, path: path, query: query)))
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

    /// A page, because without the cookie it is unknown whose user agent this is. An error leaves no claim, so that a
    /// callback with it says the same each time.
    private func withoutCookie(
        _ state: LoginState, _ known: KnownLogin, error: ProviderError?
    ) -> EventLoopFuture<BrokerResponse> {
        isClaimed(state).flatMap { isFinished in
            guard !isFinished else { return FinishedLogin(context: context, state: state).outcome() }
            return eventLoop.makeSucceededFuture(error.map(Outcome.init(of:)) ?? .otherBrowser)
        }.map { [responses] outcome in responses.page(outcome, known) }
    }
}
