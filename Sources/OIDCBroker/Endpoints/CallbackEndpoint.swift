// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The callback URL: the provider sends the browser back.
///
/// In this order: the parameters, the state, the cookie, `iss`, the ID token where one came through the browser, the mark
/// that the login returned, and only then the code exchange. Whatever ends before the mark uses nothing up: an error, an
/// answer with another's `iss`, or an ID token that is not the provider's for this login, costs a stranger no more than a
/// request, and so leaves nothing behind.
struct CallbackEndpoint {
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    let eventLoop: any EventLoop

    /// A login whose browser, provider, app and redirect URI are all known to match.
    final class Login: Sendable {
        let state: LoginState
        let keys: LoginKeys
        let binding: [UInt8]
        let provider: ProviderEntry
        let app: AppEntry
        let redirectURI: RedirectURI
        let cookieName: String
        /// Apple's field `user`, as it came; `nil` if there is none.
        let user: WireText?
        /// Who brought it, where known.
        let clientAddress: ClientAddress?

        init(
            state: LoginState, keys: LoginKeys, binding: [UInt8], provider: ProviderEntry, app: AppEntry,
            redirectURI: RedirectURI, cookieName: String, user: WireText?, clientAddress: ClientAddress?
        ) {
            self.state = state
            self.keys = keys
            self.binding = binding
            self.provider = provider
            self.app = app
            self.redirectURI = redirectURI
            self.cookieName = cookieName
            self.user = user
            self.clientAddress = clientAddress
        }
    }

    /// How reading a callback ended where there is no login to go on with.
    private enum Reading {
        case login(Login, AuthorizationResponse, AuthorizationResponse.Contents)
        case end(Outcome, provider: ProviderEntry?, redirectURI: RedirectURI?)
        /// No cookie: whether the login returned already, and whether this is an error, decides what the page says.
        case noCookie(LoginState, provider: ProviderEntry, redirectURI: RedirectURI?, error: ProviderError?)
        case repost(Parameters, provider: ProviderEntry)
    }

    func respond(to request: BrokerRequest, path: String, query: Substring) -> Eventual<BrokerResponse> {
        let fields = request.head.headerFields
        let isPost = request.head.method == .post
        // A browser that only looks ahead must not use the login up; it asks again when the person goes there.
        if FetchMetadata.isPrefetch(fields) {
            log(.prefetch, provider: nil, login: nil)
            return .value(.plain(status: .tooEarly, ""))
        }
        if !isPost, !FetchMetadata.isNavigation(fields) { return end(.notNavigation) }
        if isPost, !FormBody.isForm(fields) {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        if !isPost, query.isEmpty, let page = snapshot.fragmentPages[WireText(path)] {
            log(.readingFragment, provider: nil, login: nil)
            return .value(.page(page))
        }
        switch read(request, isPost: isPost, path: path, query: query) {
        case .end(let outcome, let provider, let redirectURI):
            return end(outcome, provider: provider, redirectURI: redirectURI)
        case .repost(let parameters, let provider):
            log(.reposting, provider: provider, login: nil)
            return .value(.page(repost(parameters, path: path)))
        case .noCookie(let state, let provider, let redirectURI, let error):
            return .future(withoutCookie(state, provider: provider, redirectURI: redirectURI, error: error))
        case .login(let login, let parameters, let response):
            return .future(go(on: login, parameters, response))
        }
    }

    // MARK: Reading

    private func read(_ request: BrokerRequest, isPost: Bool, path: String, query: Substring) -> Reading {
        var parameters: Parameters
        var mode = ResponseMode.query
        let response: AuthorizationResponse
        do {
            let fromQuery = try FormURLEncoding.parse(query)
            if isPost {
                guard !AuthorizationResponse.names.contains(where: { fromQuery.contains($0) }) else {
                    return .end(.unreadable("parameters in both query and form"), provider: nil, redirectURI: nil)
                }
                parameters = try FormURLEncoding.parse(request.body.readableBytesView)
                mode = .formPost
                if let fragment = FragmentResponse(parameters) {
                    let origin = snapshot.configuration.publicURL.origin
                    guard FetchMetadata.isSameOrigin(request.head.headerFields, origin: origin) else {
                        return .end(.notNavigation, provider: nil, redirectURI: nil)
                    }
                    parameters = try fragment.parameters()
                    mode = .fragment
                }
            } else {
                parameters = fromQuery
            }
        } catch {
            return .end(.unreadable("\(error)"), provider: nil, redirectURI: nil)
        }
        if parameters.contains("apiKey"), !parameters.contains("state") {
            return .end(.reservedForFirebase, provider: nil, redirectURI: nil)
        }
        do {
            response = try AuthorizationResponse(parameters)
        } catch {
            return .end(.unreadable("\(error)"), provider: nil, redirectURI: nil)
        }
        guard let opened = snapshot.sealer.open(response.state, for: .login),
            let state = LoginState(encoded: opened.plaintext)
        else { return .end(.unknownState, provider: nil, redirectURI: nil) }
        let app = snapshot.app(name: state.app)
        let redirectURI = app?.redirectURI(hash: state.redirectURIHash, loopbackPort: state.loopbackPort)
        guard !state.isStale(at: services.clock.now()) else {
            return .end(.expired, provider: snapshot.provider(name: state.provider), redirectURI: redirectURI)
        }
        guard let provider = snapshot.provider(name: state.provider), provider.fingerprint == state.fingerprint,
            let app, let redirectURI, app.mayUse(provider.name)
        else { return .end(.changed, provider: nil, redirectURI: redirectURI) }
        guard provider.callbackPath == path, provider.configuration.responseMode == mode else {
            return .end(.misdirected, provider: provider, redirectURI: nil)
        }
        let asked: AuthorizationResponse.Contents
        do {
            asked = try response.contents(for: provider.configuration.responseType)
        } catch {
            return .end(.unreadable("\(error)"), provider: provider, redirectURI: redirectURI)
        }
        switch snapshot.cookie.binding(loginID: state.loginID, in: Cookies(request.head.headerFields)) {
        case .duplicate:
            return .end(.duplicateCookie, provider: provider, redirectURI: redirectURI)
        case .absent:
            guard mode == .formPost, !parameters.contains(Self.repostMark) else {
                return .noCookie(state, provider: provider, redirectURI: redirectURI, error: response.error)
            }
            return .repost(parameters, provider: provider)
        case .found(let binding):
            let login = Login(
                state: state, keys: opened.keys, binding: binding, provider: provider, app: app,
                redirectURI: redirectURI, cookieName: snapshot.cookie.name(loginID: state.loginID),
                user: provider.isApple ? Self.user(in: parameters, mode) : nil,
                clientAddress: request.clientAddress)
            return .login(login, response, asked)
        }
    }

    /// The field that says: this form was sent again by our own page.
    private static let repostMark = "oidc_broker_repost"

    /// The same fields again, from our own origin, so that a browser that withheld the cookie sends it.
    private func repost(_ parameters: Parameters, path: String) -> Page {
        let known = parameters.all.compactMap { field in
            AuthorizationResponse.names.first { field.name.hasSameBytes(asASCII: $0) }
                .map { (name: $0, value: field.value.makeString()) }
        }
        return Pages.repost(action: path, fields: known + [(name: Self.repostMark, value: "1")])
    }

    private func withoutCookie(
        _ state: LoginState, provider: ProviderEntry, redirectURI: RedirectURI?, error: ProviderError?
    ) -> EventLoopFuture<BrokerResponse> {
        isMarked(state).map { isFinished in
            // An error leaves no mark, only deletes the cookie: sent again, it says again what it said. A page, since
            // without the cookie nobody knows whose browser this is.
            let outcome = isFinished ? Outcome.alreadyFinished : error.map(Self.outcome) ?? .otherBrowser
            return response(outcome, provider: provider, redirectURI: redirectURI)
        }
    }

    // MARK: Going on

    private func go(
        on login: Login, _ parameters: AuthorizationResponse, _ asked: AuthorizationResponse.Contents
    ) -> EventLoopFuture<BrokerResponse> {
        if let refusal = refusal(of: parameters, login) {
            return eventLoop.makeSucceededFuture(answer(refusal, login))
        }
        if case .error(let error) = asked { return refuse(login, parameters, error) }
        let relyingParty = login.provider.relyingParty
        return relyingParty.metadata(on: eventLoop).flatMap(on: eventLoop) { metadata in
            if let error = relyingParty.validate(issuer: parameters.issuer, metadata: metadata) {
                return .value(answer(.failed(error), login))
            }
            return .future(validate(login, parameters, asked))
        }.recover { error in
            let error = error as? RelyingPartyError ?? .unusable(.discovery, "failed")
            return answer(error.isTemporary ? .providerUnavailable(error) : .failed(error), login)
        }.future(on: eventLoop)
    }

    /// Uses the login up, and goes on if nobody did before; first the bounds of one address, which use nothing up.
    func mark(
        _ login: Login, _ parameters: AuthorizationResponse, _ validated: Validated
    ) -> EventLoopFuture<BrokerResponse> {
        guard let address = login.clientAddress else { return markUnbounded(login, parameters, validated) }
        return services.clients.run(
            validated.hasCode ? .codeCallback : .idTokenCallback, for: address, at: login.provider, on: eventLoop
        ) {
            markUnbounded(login, parameters, validated)
        } refusal: {
            // Not the login's end: no mark, the cookie stays, and the same URL is good for another try.
            var response = response(
                .tooManyFromAddress($0), provider: login.provider, redirectURI: login.redirectURI)
            response.head.headerFields[.retryAfter] = String($0.retryAfter)
            return response
        }
    }

    private func markUnbounded(
        _ login: Login, _ parameters: AuthorizationResponse, _ validated: Validated
    ) -> EventLoopFuture<BrokerResponse> {
        let now = services.clock.now()
        // Keys or metadata may have been waited for: no mark is kept of a login that is over, which would not be single.
        guard !login.state.isStale(at: now) else {
            return eventLoop.makeSucceededFuture(answer(.expired, login))
        }
        if validated.hasCode, let wait = login.provider.relyingParty.wait(before: .token) {
            return eventLoop.makeSucceededFuture(postpone(login, validated, by: wait))
        }
        return services.insertIfAbsent(
            SingleUseKey(.login, login.state.loginID), value: [], expiry: login.state.issuedAt + LoginState.lifetime,
            now: now, on: eventLoop
        ).flatMap(on: eventLoop) { insertion in
            .future(go(on: login, parameters, validated, after: insertion))
        }.recover { _ in answer(.storeUnavailable, login) }.future(on: eventLoop)
    }

    /// The provider is left alone for a while, and the code would not be sent. Not the login's end: no mark, which would
    /// cost a stranger nothing; the cookie stays, and the same URL is good for another try.
    private func postpone(_ login: Login, _ validated: Validated, by wait: Int64) -> BrokerResponse {
        let error = RelyingPartyError.transport(.token, .circuitOpen)
        if login.user != nil { keepName(of: login, validated, after: error) }
        var response = response(
            .providerUnavailable(error), provider: login.provider, redirectURI: login.redirectURI)
        response.head.headerFields[.retryAfter] = String(wait)
        return response
    }

    private func go(
        on login: Login, _ parameters: AuthorizationResponse, _ validated: Validated,
        after insertion: SingleUseInsertion
    ) -> EventLoopFuture<BrokerResponse> {
        switch insertion {
        case .inserted:
            services.clients.marked(login.clientAddress, at: login.provider)
            return finish(login, parameters, validated)
        case .present:
            return eventLoop.makeSucceededFuture(
                response(.alreadyFinished, provider: login.provider, redirectURI: login.redirectURI))
        default:
            return eventLoop.makeSucceededFuture(answer(.storeUnavailable, login))
        }
    }

    /// What the ID token is held against, from the state and the browser's cookie.
    func expectation(of login: Login) -> SignInExpectation {
        SignInExpectation(
            rawNonce: login.keys.rawNonce(loginID: login.state.loginID, binding: login.binding),
            codeVerifier: login.keys.codeVerifier(loginID: login.state.loginID, binding: login.binding),
            maximumAge: login.state.maximumAge)
    }

    private func finish(
        _ login: Login, _ parameters: AuthorizationResponse, _ validated: Validated
    ) -> EventLoopFuture<BrokerResponse> {
        let relyingParty = login.provider.relyingParty
        let signIn =
            switch validated {
            case .code(let code):
                relyingParty.complete(
                    code: code, issuer: parameters.issuer, expecting: expectation(of: login), on: eventLoop)
            case .idToken(let front):
                relyingParty.complete(front, on: eventLoop)
            }
        // One promise instead of a chain of futures.
        let promise = eventLoop.makePromise(of: BrokerResponse.self)
        signIn.whenComplete { result in
            switch result {
            case .success(let signIn):
                if validated.hasCode {
                    services.clients.succeeded(.exchange, for: login.clientAddress, at: login.provider)
                }
                deliver(signIn, login).cascade(to: promise)
            case .failure(let error):
                let known = error as? RelyingPartyError
                // Only an error that names its step says how far the ID token was verified.
                if login.user != nil, let known { keepName(of: login, validated, after: known) }
                let error = known ?? .unusable(.token, "failed")
                services.clients.failed(error, for: login.clientAddress, at: login.provider)
                promise.succeed(answer(error.isTemporary ? .providerUnavailable(error) : .failed(error), login))
            }
        }
        return promise.futureResult
    }

    static func outcome(of error: ProviderError) -> Outcome {
        // `user_cancelled_authorize` is Apple's own spelling.
        error.code == "access_denied" || error.code == "user_cancelled_authorize" ? .cancelled : .refused(error)
    }

    /// Hands the credential off, or, where nobody is known to sit there, waits for the person first.
    private func deliver(_ signIn: VerifiedSignIn, _ login: Login) -> Eventual<BrokerResponse> {
        let providerID = login.provider.id
        let handed: HandedClaims.Bounded
        do throws(RelyingPartyError) {
            handed = try HandedClaims.idToken(
                signIn, providerID: providerID, issuer: snapshot.issuer, clientID: login.app.clientID,
                nonce: login.state.appNonce, isApple: login.provider.isApple)
        } catch {
            return .value(answer(.failed(error), login))
        }
        handed.logLeftOut(provider: login.provider, app: login.app, to: services)
        var record = HandOffRecord(
            clientID: login.app.clientID, redirectURI: login.redirectURI.text,
            codeChallenge: login.state.codeChallenge, issuer: snapshot.issuer,
            claims: handed.claims,
            upstream: login.app.configuration.upstreamTokens
                ? HandedClaims.upstream(signIn, providerID: providerID) : nil,
            user: login.provider.isApple ? name(of: signIn, login) : nil)
        if !record.isStorable { leaveOut(signIn, of: &record, login) }
        let delivery = HandOffDelivery(
            record: record, redirectURI: login.redirectURI, appState: login.state.appState, issuer: snapshot.issuer,
            owner: .owner(
                issuer: signIn.issuer, subject: signIn.subject, app: login.app.clientID,
                provider: login.provider.share))
        guard login.redirectURI.kind == .https || login.state.isChosen else {
            return .future(hold(delivery, login).recover { _ in answer(.storeUnavailable, login) })
        }
        return delivery.issue(services, on: eventLoop) { issue in
            switch issue {
            case .success(let response):
                log(.signedIn, provider: login.provider, login: login)
                return deletingCookie(of: login, response)
            case .failure(let refusal):
                return answer(refusal.outcome, login)
            }
        }
    }

    /// Keeps the credential, sealed under the browser's binding value, until the person says "Continue".
    private func hold(_ delivery: HandOffDelivery, _ login: Login) -> EventLoopFuture<BrokerResponse> {
        let held = HeldHandOff(loginID: login.state.loginID, binding: login.binding)
        guard let sealed = held.seal(delivery) else {
            return eventLoop.makeSucceededFuture(answer(.storeUnavailable, login))
        }
        let now = services.clock.now()
        return services.store.insertIfAbsent(
            held.key, value: sealed, owner: delivery.owner.waiting, expiry: login.state.issuedAt + LoginState.lifetime,
            now: now, on: eventLoop
        ).map { insertion in
            if let refusal = HandOffDelivery.Refusal(insertion) { return answer(refusal.outcome, login) }
            log(.continuing, provider: login.provider, login: login)
            return .page(
                Pages.proceed(
                    appName: login.app.configuration.name, destination: login.redirectURI.displayed,
                    action: snapshot.paths.proceed, login: Base64URL.encode(login.state.loginID)))
        }
    }

    // MARK: Answers

    private func end(
        _ outcome: Outcome, provider: ProviderEntry? = nil, redirectURI: RedirectURI? = nil
    ) -> Eventual<BrokerResponse> {
        .value(response(outcome, provider: provider, redirectURI: redirectURI))
    }

    /// A page.
    func response(_ outcome: Outcome, provider: ProviderEntry?, redirectURI: RedirectURI?) -> BrokerResponse {
        log(outcome, provider: provider, login: nil)
        return .page(outcome.page(link: AppRedirect.link(redirectURI)))
    }

    /// The app is told where there is something to tell it, else the browser gets a page; the login is over.
    /// - Parameter line: the line of the log that this outcome writes here, where a stranger can cause it at will.
    func answer(_ outcome: Outcome, _ login: Login, as line: RepeatableLine? = nil) -> BrokerResponse {
        guard let error = outcome.error else {
            return deletingCookie(
                of: login, response(outcome, provider: login.provider, redirectURI: login.redirectURI))
        }
        log(outcome, provider: login.provider, login: login, as: line)
        let redirect = AppRedirect(
            redirectURI: login.redirectURI, state: login.state.appState, issuer: snapshot.issuer)
        return deletingCookie(of: login, redirect.response(error))
    }

    private func deletingCookie(of login: Login, _ response: consuming BrokerResponse) -> BrokerResponse {
        response.head.headerFields.append(snapshot.cookie.delete(name: login.cookieName))
        return response
    }

    private func log(
        _ outcome: Outcome, provider: ProviderEntry?, login: Login?, as line: RepeatableLine? = nil
    ) {
        CallbackLog.write(
            outcome, provider: provider?.id, number: provider?.number, app: login?.app.configuration.name, as: line,
            counter: outcome == .signedIn ? provider?.signIns : nil, to: services)
    }
}
