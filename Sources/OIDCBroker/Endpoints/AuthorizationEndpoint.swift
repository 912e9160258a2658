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

/// The endpoint at which an app starts a sign-in (`GET` or `POST authorize`; OpenID Connect Core 1.0 section 3.1.2.1) and
/// at which the user chooses a provider on the broker's page (`POST choose`).
struct AuthorizationEndpoint: RequestHandling {
    let context: RequestContext

    /// A request whose recipient is known to match: an app's, or one of an extension. It is a class because each step
    /// passes it on.
    final class Start: Sendable {
        /// Who gets the sign-in.
        let recipient: LoginRecipient
        let request: AppAuthorizationRequest
        let isChosen: Bool
        /// The address of the client; `nil` if it is not known.
        let clientAddress: ClientAddress?

        init(
            for recipient: LoginRecipient, request: AppAuthorizationRequest, isChosen: Bool,
            clientAddress: ClientAddress?
        ) {
            self.recipient = recipient
            self.request = request
            self.isChosen = isChosen
            self.clientAddress = clientAddress
        }
    }

    /// What the person chose on the broker's page.
    struct Choice {
        /// The name of the provider.
        let provider: WireText
        /// The login ID of the ``PendingChoice``.
        let loginID: [UInt8]
    }

    func respond(to request: BrokerRequest, query: Substring) -> Eventual<BrokerResponse> {
        guard FetchMetadata.isNavigation(request.headerFields) else {
            return .value(failure(\.notLoadable, .forbidden))
        }
        guard request.method == .post else { return start(request, query: query) }
        guard FormBody.isForm(request.headerFields) else {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        guard query.isEmpty, let form = String(validating: request.body.readableBytesView, as: UTF8.self) else {
            return .value(badStart("the parameters of a POST are not in the form alone"))
        }
        return start(request, query: form[...])
    }

    private func start(_ request: BrokerRequest, query: Substring) -> Eventual<BrokerResponse> {
        start(
            query: query, choice: nil, cookies: Cookies(request.headerFields), from: request.clientAddress)
    }

    /// Handles the user's choice: a same-origin POST, bound to the cookie that the page set.
    ///
    /// The cookie is kept, because a browser shows the page until the provider's begins to arrive: a second click
    /// begins another login, and the first one is given up.
    func respondToChoice(_ request: BrokerRequest) -> Eventual<BrokerResponse> {
        let fields = request.headerFields
        guard FetchMetadata.isSameOrigin(fields, origin: snapshot.configuration.publicURL.origin) else {
            return .value(failure(\.formFromElsewhere, .forbidden))
        }
        guard FormBody.isForm(fields) else {
            return .value(.plain(status: .unsupportedMediaType, "A form is expected.\n"))
        }
        let cookies = Cookies(fields)
        guard let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let sealed = (try? form.nonEmptyValue("login")) ?? nil,
            let name = (try? form.nonEmptyValue("provider")) ?? nil,
            let choice = snapshot.sealer.open(sealed, for: .choice).flatMap({ PendingChoice(encoded: $0.plaintext) }),
            !choice.isStale(at: services.clock.now()),
            case .found(let binding) = snapshot.cookie.binding(loginID: choice.loginID, in: cookies),
            ConstantTime.equal(Hash.sha256(binding), choice.bindingHash)
        else { return .value(failure(\.startOver)) }
        switch choice.start {
        case .request(let query):
            return start(
                query: Substring(query), choice: Choice(provider: name, loginID: choice.loginID), cookies: cookies,
                from: request.clientAddress)
        case .inProcess(let login, let app):
            return InProcessStart(context: context).resume(
                login, app: app, choice: Choice(provider: name, loginID: choice.loginID), cookies: cookies,
                from: request.clientAddress)
        }
    }

    private func start(
        query: Substring, choice: Choice?, cookies: Cookies, from clientAddress: ClientAddress?
    ) -> Eventual<BrokerResponse> {
        let parameters: Parameters
        let app: AppEntry
        let redirectURI: RedirectURI
        do {
            parameters = try FormURLEncoding.parse(query)
            guard let clientID = try parameters.nonEmptyValue("client_id") else {
                return .value(badStart("client_id is missing"))
            }
            guard let known = snapshot.app(clientID: clientID) else {
                return .value(badStart("client_id is not that of an app"))
            }
            guard let sent = try parameters.nonEmptyValue("redirect_uri") else {
                return .value(badStart("redirect_uri is missing"))
            }
            guard let uri = known.redirectURI(sent) else {
                return .value(badStart("redirect_uri is not one of the app's"))
            }
            (app, redirectURI) = (known, uri)
        } catch {
            return .value(badStart("\(error)"))
        }
        let limits = LimitResponses(context: context)
        if let refusal = limits.refusal(ofStartOf: app, resuming: choice?.loginID) { return .value(refusal) }
        do throws(AppError) {
            let request = try AppAuthorizationRequest(
                parameters, redirectURI: redirectURI, codeBinding: app.configuration.codeBinding
            ) { hint in
                IssuedIDToken(hint, snapshot: snapshot, app: app, now: services.clock.now(), isHint: true)?.subject
            }
            let start = Start(
                for: .app(app, redirectURI), request: request, isChosen: choice != nil, clientAddress: clientAddress)
            let provider: ProviderEntry
            if let name = choice?.provider ?? request.provider {
                guard let named = snapshot.provider(named: name), app.mayUse(named.name) else {
                    throw AppError("invalid_request", "provider names none that this app may use.")
                }
                guard named.hasWebFlow else { throw AppError.nativeOnly }
                provider = named
            } else {
                let allowed = snapshot.providers.filter { app.mayUse($0.name) && $0.hasWebFlow }
                guard let only = allowed.first else {
                    let isNativeOnly = snapshot.providers.contains { app.mayUse($0.name) }
                    throw isNativeOnly
                        ? AppError.nativeOnly
                        : AppError("invalid_request", "there is no provider that this app may use.")
                }
                guard allowed.count == 1 else {
                    guard !request.isSilent else { throw AppError.interactionRequired }
                    let page = chooser(
                        for: .request(String(query)), of: app, among: allowed, cookies: cookies,
                        language: request.requirements.language)
                    guard let page else { throw AppError("invalid_request", "the request is too long.") }
                    return .value(page)
                }
                provider = only
            }
            guard !request.isSilent || isSilentlyCompletable(start, at: redirectURI, provider) else {
                throw AppError.interactionRequired
            }
            return begin(start, provider, cookies: cookies)
        } catch {
            let destination = AppDestination(
                redirectURI: redirectURI, state: AppAuthorizationRequest.state(of: parameters),
                responseMode: AppAuthorizationRequest.responseMode(of: parameters, at: redirectURI),
                issuer: snapshot.issuer, language: AppAuthorizationRequest.language(of: parameters))
            let redirect = AppRedirect(destination: destination, context: context)
            return .value(refuse(error, .app(app, redirectURI), redirect))
        }
    }

    /// Whether a sign-in with `prompt=none` can end without a page. An app on the user's device gets its response only
    /// after "Continue to APP", and a provider to which `prompt` is not passed on, or which ignores it, shows pages of
    /// its own.
    private func isSilentlyCompletable(
        _ start: Start, at redirectURI: RedirectURI, _ provider: ProviderEntry
    ) -> Bool {
        (redirectURI.kind == .https || start.isChosen)
            && provider.appParameters.contains("prompt") && !provider.behavior.ignoresPrompt
    }

    /// Returns the page on which the user chooses a provider; `nil` if the request is too long.
    func chooser(
        for start: PendingChoice.Start, of app: AppEntry, among providers: [ProviderEntry], cookies: Cookies,
        language: Language? = nil
    ) -> BrokerResponse? {
        let entropy = LoginEntropy(browser: snapshot.cookie.browser(in: cookies))
        let choice = PendingChoice(
            loginID: entropy.loginID, issuedAt: services.clock.now(), bindingHash: Hash.sha256(entropy.binding),
            start: start)
        guard let sealed = snapshot.sealer.seal(choice.encoded, for: .choice, nonce: entropy.nonce) else { return nil }
        let page = context.pages(in: language).chooser(
            appName: app.configuration.displayedName,
            providers: providers.map { ProviderChoice($0) },
            action: snapshot.paths[.choose], login: sealed)
        var response = BrokerResponse.page(page)
        response.head.headerFields.append(
            snapshot.cookie.set(loginID: entropy.loginID, binding: entropy.binding, responseMode: .query))
        response.head.headerFields.append(contentsOf: snapshot.cookie.evictions(in: cookies))
        record(.choosing, app)
        return response.noting(StartOutcome.choosing.rawValue)
    }

    /// Redirects the user agent to the provider.
    func begin(
        _ start: Start, _ provider: ProviderEntry, cookies: Cookies
    ) -> Eventual<BrokerResponse> {
        let redirect = errorResponses(for: start)
        return provider.relyingParty.metadata(on: eventLoop, trace: trace(of: provider)).flatMap(on: eventLoop) {
            metadata in
            guard !isOnForbiddenPath(provider, metadata), provider.relyingParty.pushes(metadata) else {
                return .value(sendOn(start, provider, metadata, redirect, cookies: cookies))
            }
            return .future(push(start, provider, metadata, redirect, cookies: cookies))
        }.recover { error in
            let error = error as? RelyingPartyError ?? .unusable(.discovery, "failed")
            let outcome = Outcome(of: error)
            let reference = log(outcome, provider, start.recipient)
            // Whatever the problem with the provider's discovery is, the app can only try again later.
            return redirect.response(
                AppError("temporarily_unavailable", "The provider is not available."), reference: reference
            ).noting(outcome.label, reference)
        }
    }

    private func errorResponses(for start: Start) -> any AppErrorResponding {
        switch start.recipient {
        case .app(let app, _) where app.configuration.kind == .inProcess:
            InProcessFailure(app: app, destination: start.request.state, context: context)
        case .app(_, let redirectURI):
            AppRedirect(
                destination: AppDestination(
                    redirectURI: redirectURI, state: start.request.state,
                    responseMode: start.request.requirements.responseMode, issuer: snapshot.issuer,
                    language: start.request.requirements.language),
                context: context)
        case .ofExtension:
            ExtensionStartFailure(
                appName: start.recipient.displayedName, language: start.request.requirements.language, context: context)
        }
    }

    /// Whether the provider shares its callback path and does not announce `iss`, so that a mix-up could not be
    /// detected.
    private func isOnForbiddenPath(_ provider: ProviderEntry, _ metadata: ProviderMetadata) -> Bool {
        provider.mustAnnounceIssuer && !metadata.announcesIssuer
    }

    private func sendOn(
        _ start: Start, _ provider: ProviderEntry, _ metadata: ProviderMetadata, _ redirect: any AppErrorResponding,
        cookies: Cookies
    ) -> BrokerResponse {
        if isOnForbiddenPath(provider, metadata) {
            let reference = log(.sharedCallbackPath, provider, start.recipient)
            return redirect.response(
                Outcome.sharedCallbackPath.error ?? AppError("server_error", ""), reference: reference
            ).noting(Outcome.sharedCallbackPath.label, reference)
        }
        do throws(AppError) {
            var response = try sendOn(start, provider, metadata, cookies: cookies)
            response.head.headerFields.append(contentsOf: snapshot.cookie.evictions(in: cookies))
            return response
        } catch {
            return refuse(error, start.recipient, redirect)
        }
    }

    private func sendOn(
        _ start: Start, _ provider: ProviderEntry, _ metadata: ProviderMetadata, cookies: Cookies
    ) throws(AppError) -> BrokerResponse {
        let departure = try prepare(start, provider, cookies: cookies)
        let url = provider.relyingParty.authorizationURL(
            metadata: metadata,
            state: departure.state,
            rawNonce: departure.rawNonce,
            codeChallenge: departure.codeChallenge,
            additionalScopes: departure.additionalScopes,
            parameters: departure.parameters)
        return depart(start, provider, departure, to: url)
    }

    /// - Parameter login: The reference of the login; `nil` if it did not begin.
    /// - Returns: The reference for a page; `nil` if the outcome is no error.
    func log(
        _ outcome: Outcome, _ provider: ProviderEntry, _ recipient: LoginRecipient, login: PageReference? = nil
    ) -> PageReference? {
        let line = outcome.repeatableLine.map { services.line($0, at: .start, provider: provider.number, login: login) }
        context.span?.note(isFailure: outcome.isForOperator)
        record(outcome.label, recipient, provider, line?.reference)
        guard let repetition = line == nil ? [:] : line?.metadata else { return line?.reference }
        logger.log(
            level: outcome.logLevel, "a sign-in could not begin",
            metadata: [
                "auth.outcome": "\(outcome.label)", "auth.detail": "\(LogText.detail(outcome.detail))",
                "auth.provider": "\(provider.id)", "auth.app": "\(recipient.name)",
            ].merging(repetition) { own, _ in own })
        return line?.reference
    }

    /// Returns the page of a request of which no app can be told. The reason is for its developer, in the log.
    func badStart(_ reason: String, _ status: HTTPResponse.Status = .badRequest) -> BrokerResponse {
        failure(\.cannotBegin, status, line: logBadStart(reason))
    }

    /// Writes into the log why a start was refused.
    /// - Returns: The line, with the reference for the page.
    func logBadStart(_ reason: String) -> ReferencedLine {
        let line = services.line(.refusedStart, at: .start)
        if let metadata = line.metadata {
            logger.info(
                "a sign-in could not begin",
                metadata: metadata.merging(["auth.detail": "\(LogText.detail(reason))"]) { own, _ in own })
        }
        return line
    }

    private func failure(
        _ message: KeyPath<PageTexts, PageMessage>, _ status: HTTPResponse.Status = .badRequest,
        line: ReferencedLine? = nil
    ) -> BrokerResponse {
        let reference = line?.reference
        record(
            StartOutcome.refused.rawValue, nil, isInProcess: false, nil, reference,
            with: line ?? services.line(.unreadStart, at: .start))
        let pages = pages
        return .page(pages.failure(pages.texts[keyPath: message], status: status, reference: reference))
            .noting(StartOutcome.refused.rawValue, reference)
    }
}
