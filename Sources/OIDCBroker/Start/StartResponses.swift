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
import OpenIDRelyingParty

/// The responses to a start: a redirect to the provider, a page, or an error for the app. Each is logged, counted and
/// audited.
struct StartResponses: RequestHandling {
    let context: RequestContext

    /// Redirects the user agent to the provider, with the login's cookie.
    func redirect(
        _ start: StartFlow.Start, _ provider: ProviderEntry, _ login: NewLogin, to url: String, cookies: Cookies
    ) -> BrokerResponse {
        logger.debug(
            "sign-in began",
            metadata: [
                "auth.provider": "\(provider.id)", "auth.app": "\(start.recipient.name)",
                "auth.reference": "\(login.reference)",
            ])
        record(StartOutcome.redirected.rawValue, start.recipient, provider, login.reference)
        logNarrowedScope(start, provider, login)
        var response = BrokerResponse.seeOther(url)
        response.head.headerFields.append(login.cookie)
        response = response.noting(StartOutcome.redirected.rawValue, login.reference)
        response.head.headerFields.append(
            contentsOf: snapshot.cookie.evictions(in: cookies, besides: login.cookie.value.utf8.count))
        return response
    }

    /// Logs the scopes that an app asked for and is not granted. The token response names those that are (RFC 6749 section
    /// 3.3), and some clients take a narrower scope for an error.
    private func logNarrowedScope(_ start: StartFlow.Start, _ provider: ProviderEntry, _ login: NewLogin) {
        guard case .app(let app, _) = start.recipient, app.configuration.kind != .inProcess else { return }
        let known = app.scopes(at: provider)
        let refused = start.request.scopes.filter { asked in
            asked != "openid" && !known.contains { asked.hasSameBytes(asASCII: $0) }
        }
        guard !refused.isEmpty,
            let repetition = services.repetition(of: .narrowedScope, at: .start, login: login.reference)
        else { return }
        let names = refused.prefix(16).map { $0.ascii(atMost: 128) ?? "?" }
        logger.info(
            "scopes not granted: an app that uses requests-oauthlib must set OAUTHLIB_RELAX_TOKEN_SCOPE",
            metadata: repetition.merging([
                "auth.scopes": "\(LogText.detail(names.joined(separator: " ")))", "auth.provider": "\(provider.id)",
                "auth.app": "\(app.configuration.name)",
            ]) { own, _ in own })
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

    // MARK: Errors

    /// Returns the response to a request that cannot be reported to an app.
    func end(_ end: StartEnd) -> BrokerResponse {
        switch end {
        case .badStart(let reason, let app):
            failure(\.cannotBegin, .badRequest, line: logBadStart(reason, app: app), of: app)
        case .badRedirectURI(let app, let sent):
            failure(\.cannotBegin, .badRequest, line: logBadStart(app.redirectURIReason(sent), app: app), of: app)
        case .failure(let message, let status): failure(message, status)
        case .noForm: .plain(status: .unsupportedMediaType, "A form is expected.\n")
        case .response(let response): response
        }
    }

    /// What the recipient of a start gets instead of a sign-in.
    func errorResponses(of start: StartFlow.Start) -> any AppErrorResponding {
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

    /// Returns the response to an app whose request is refused.
    func refuse(
        _ error: AppError, _ recipient: LoginRecipient, _ errors: any AppErrorResponding
    ) -> BrokerResponse {
        record(StartOutcome.refused.rawValue, recipient, nil, nil)
        // The first problem with many clients: the operator gets the key to set.
        if error == .unboundCode, case .app(let app, _) = recipient {
            let key = app.configuration.prefix + BrokerConfiguration.App.key(of: \.codeBinding)
            _ = logBadStart("code_challenge is missing: turn PKCE on in the app, or set \(key)", app: app)
        }
        return errors.response(error).noting(StartOutcome.refused.rawValue)
    }

    /// Returns the response to an app whose request cannot go on at its provider.
    /// - Parameter login: The reference of the login; `nil` if it did not begin.
    func refuse(
        _ outcome: Outcome, _ start: StartFlow.Start, _ provider: ProviderEntry, _ errors: any AppErrorResponding,
        login: PageReference? = nil
    ) -> BrokerResponse {
        let reference = log(outcome, provider, start.recipient, login: login)
        return errors.response(Self.error(of: outcome), reference: reference).noting(outcome.label, reference)
    }

    private static func error(of outcome: Outcome) -> AppError {
        switch outcome {
        case .tooManyFromAddress:
            AppError("temporarily_unavailable", "Too many sign-ins were tried from the browser's network.")
        case .failed(let error) where error.step == .pushedAuthorization:
            AppError("server_error", "The provider did not accept the request.")
        // Whatever the problem with the provider's discovery is, the app can only try again later.
        case .failed, .providerUnavailable: AppError("temporarily_unavailable", "The provider is not available.")
        default: outcome.error ?? AppError("server_error", "")
        }
    }

    /// - Returns: The reference for a page; `nil` if the outcome is no error.
    private func log(
        _ outcome: Outcome, _ provider: ProviderEntry, _ recipient: LoginRecipient, login: PageReference?
    ) -> PageReference? {
        let line = outcome.repeatableLine.map { services.line($0, at: .start, provider: provider.number, login: login) }
        context.span?.note(isFailure: outcome.isForOperator)
        record(outcome.label, recipient, provider, line?.reference)
        if let line, !line.isWritten { return line.reference }
        logger.log(
            level: outcome.logLevel, outcome.message(of: "sign-in"),
            metadata: outcome.metadata(provider: provider.id, app: recipient.name, in: context).merging(
                line?.metadata ?? [:]
            ) { own, _ in own })
        return line?.reference
    }

    /// Returns the page of a request that cannot be reported to an app. The reason is for its developer, in the log.
    func badStart(_ reason: String, _ status: HTTPResponse.Status = .badRequest) -> BrokerResponse {
        failure(\.cannotBegin, status, line: logBadStart(reason))
    }

    /// Writes into the log why a start was refused.
    /// - Parameter reason: The reason, which is made only for a line that is written.
    /// - Returns: The line, with the reference for the page.
    func logBadStart(_ reason: @autoclosure () -> String, app: AppEntry? = nil) -> ReferencedLine {
        let line = services.line(.refusedStart, at: .start)
        if var metadata = line.metadata {
            metadata["auth.detail"] = "\(LogText.detail(reason()))"
            if let app { metadata["auth.app"] = "\(app.configuration.name)" }
            logger.info("sign-in failed: invalid authorization request from an app", metadata: metadata)
        }
        return line
    }

    /// - Parameter app: The app that asked, to which the page leads back: to the origin of a registered URI, never to one
    ///   that was sent. `nil` if it is not known; then the page leads to the only app, if there is one.
    private func failure(
        _ message: KeyPath<PageTexts, PageMessage>, _ status: HTTPResponse.Status, line: ReferencedLine? = nil,
        of app: AppEntry? = nil
    ) -> BrokerResponse {
        let reference = line?.reference
        record(
            StartOutcome.refused.rawValue, nil, isInProcess: false, nil, reference,
            with: line ?? services.line(.unreadStart, at: .start))
        let pages = pages
        return .page(
            pages.failure(
                pages.texts[keyPath: message], status: status, appName: app?.configuration.displayedName,
                reference: reference, link: AppRedirect.link(to: app ?? snapshot.onlyApp))
        ).noting(StartOutcome.refused.rawValue, reference)
    }

    // MARK: Counters and the audit

    /// Counts and audits a start.
    /// - Parameters:
    ///   - app: The app; `nil` if none is known.
    ///   - provider: The provider; `nil` if none was chosen yet.
    ///   - reference: The reference of the login, or of the page.
    func record(
        _ outcome: StartOutcome, _ app: AppEntry?, _ provider: ProviderEntry? = nil, _ reference: PageReference? = nil
    ) {
        record(
            outcome.rawValue, app?.configuration.name, isInProcess: app?.configuration.kind == .inProcess, provider?.id,
            reference)
    }

    /// Counts and audits a start whose recipient is known.
    /// - Parameter outcome: The label of an ``Outcome``, or of a ``StartOutcome``.
    func record(
        _ outcome: String, _ recipient: LoginRecipient, _ provider: ProviderEntry?, _ reference: PageReference?
    ) {
        record(outcome, recipient.name, isInProcess: recipient.isInProcess, provider?.id, reference)
    }

    /// Counts and audits a start.
    /// - Parameters:
    ///   - outcome: The label of an ``Outcome``, or of a ``StartOutcome``.
    ///   - name: The name of the app or the client in the configuration; `nil` if none is known.
    ///   - isInProcess: Whether it is an app of kind `in-process`.
    ///   - provider: The ID of the provider that clients know; `nil` if none is known.
    ///   - reference: The reference of the login, or of the page.
    ///   - line: The line in the log with which alone the event is written, if any client can cause it.
    func record(
        _ outcome: String, _ name: String?, isInProcess: Bool, _ provider: String?, _ reference: PageReference?,
        with line: ReferencedLine? = nil
    ) {
        context.span?.note(provider: provider, app: name)
        if isInProcess {
            metrics.logins.increment(name ?? BrokerMetrics.none, outcome)
        } else {
            metrics.starts.increment(name ?? BrokerMetrics.none, provider ?? BrokerMetrics.none, outcome)
        }
        audit.record(
            AuditEvent(
                .start, outcome: outcome, provider: provider, app: name, client: context.client,
                reference: reference),
            with: line)
    }
}
