// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDRelyingParty

/// The responses to requests over a limit (RFC 6585 section 4). Each request over a limit is counted. For each limit,
/// at most one a second is logged and audited.
struct LimitResponses: RequestHandling {
    let context: RequestContext

    /// Counts a request of a browser.
    /// - Returns: The response if it is over the rate; `nil` if it may proceed.
    func refusal(ofBrowser request: BrokerRequest) -> BrokerResponse? {
        let isForeign = FetchMetadata.isForeignSubresource(request)
        guard let wait = services.limiter.takeBrowser(request.client, isForeignSubresource: isForeign) else {
            return nil
        }
        // What another site's page loads must not hold up what the user does on the same connection.
        let isOwn = !isForeign || services.limiter.wait(.browsers, for: request.client) != nil
        let reference = note(isOwn ? .browser : .subresources)
        // A script gets JSON. A browser that does not say what the request is for gets the page, as elsewhere.
        guard FetchMetadata.isNavigation(request) else {
            let response = TokenError.tooManyRequests(retryAfter: wait).noting(Self.outcome, reference)
            return isOwn ? response.pausing(for: wait) : response
        }
        return page(\.tooManyAttempts, .tooManyRequests, over: .browser, reference, retryAfter: wait).pausing(for: wait)
    }

    /// Counts a start of an app.
    /// - Parameters:
    ///   - app: The app.
    ///   - choice: The login ID of the page on which the provider was chosen, which counted as a start itself; `nil`
    ///     for a start that the app sent.
    /// - Returns: The page if it is over the rate; `nil` if it may proceed.
    func refusal(ofStartOf app: AppEntry, resuming choice: [UInt8]?) -> BrokerResponse? {
        guard let wait = services.limiter.takeStart(of: app, resuming: choice) else { return nil }
        let reference = note(.starts, app)
        // The limit is the app's: the page does not say that the user asks too often.
        return page(\.unavailable, .tooManyRequests, over: .starts, of: app, reference, retryAfter: wait)
    }

    /// Counts a request of an app.
    /// - Returns: The response if it is over the rate; `nil` if it may proceed.
    func refusal(ofRequestOf app: AppEntry) -> BrokerResponse? {
        guard let wait = services.limiter.takeRequest(of: app) else { return nil }
        note(.app, app)
        return TokenError.tooManyRequests(retryAfter: wait, "The app sends too many requests.")
    }

    /// Does the work on a request, and counts the request as refused while it is under way, so that requests sent in
    /// parallel cannot all pass. Afterwards it stays counted only if it was refused: 429 is no refusal, and neither is
    /// an error of the server or the provider.
    /// - Parameters:
    ///   - isCounted: Whether the request counts at all. A confidential app is not limited by its address.
    ///   - over: Makes the response if too many requests of the client were refused or are under way. Its parameter is
    ///     the time until the client may ask again, in seconds, at least 1.
    ///   - work: The work, done only if the request may proceed.
    func countingFailures(
        if isCounted: Bool = true,
        over: (Int64) -> BrokerResponse = { TokenError.tooManyRequests(retryAfter: $0) },
        _ work: () -> Eventual<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        guard isCounted else { return work() }
        let limiter = services.limiter
        let client = context.client
        if let wait = limiter.take(.refusals, for: client) {
            note(.failures)
            return .value(over(wait).pausing(for: wait))
        }
        let response = work()
        response.whenComplete { result in
            if case .success(let response) = result, response.isRefusal { return }
            limiter.giveBack(.refusals, for: client)
        }
        return response
    }

    /// Counts a notification of a provider as refused while it is being checked, so that notifications sent in parallel
    /// cannot all pass. It stays counted unless it turns out to be valid.
    /// - Returns: The response if it may not be checked; `nil` if it may. Then ``ended(_:ofNotificationOf:)`` must
    ///   follow.
    func refusal(ofNotificationOf provider: ProviderEntry) -> BrokerResponse? {
        let limiter = services.limiter
        guard let wait = limiter.take(.notifications, for: context.client, at: provider.number) else { return nil }
        let reference = note(.notifications, of: provider)
        // The notifications that are being checked may all be valid. Then the provider must not read that they were
        // refused.
        let isAllRefused = limiter.wait(.refusedNotifications, for: context.client, at: provider.number) != nil
        var response: BrokerResponse =
            isAllRefused
            ? .plain(status: .tooManyRequests, "Too many notifications were refused.\n")
            : .plain(status: .serviceUnavailable, "Please send it again.\n")
        response.head.headerFields[.retryAfter] = String(wait)
        return response.noting(Self.outcome, reference)
    }

    /// The result of checking a notification.
    enum NotificationCheck {
        case verified
        case refused
        /// It could not be checked, because the provider's keys could not be fetched. Any client can send one, so it
        /// stays counted. It was not refused, so it does not lead to 429.
        case unchecked
    }

    /// Ends the check of a notification. A valid one stops counting.
    func ended(_ check: NotificationCheck, ofNotificationOf provider: ProviderEntry) {
        switch check {
        case .verified: services.limiter.giveBack(.notifications, for: context.client, at: provider.number)
        case .refused: _ = services.limiter.take(.refusedNotifications, for: context.client, at: provider.number)
        case .unchecked: break
        }
    }

    /// Counts a request that was refused before its app was known.
    /// - Returns: The refusal, or a 429 if too many requests of the client were refused.
    func counted(_ refusal: BrokerResponse) -> BrokerResponse {
        guard let wait = services.limiter.take(.refusals, for: context.client) else { return refusal }
        note(.failures)
        return TokenError.tooManyRequests(retryAfter: wait).pausing(for: wait)
    }

    /// Does the work on a request, and counts the memory of the request until the work ends, even after the client has
    /// gone.
    /// - Returns: The response of the work. If there is no memory for the request, a response after which the client
    ///   may send the same request again.
    func holding(
        _ request: BrokerRequest, on route: Route, _ work: () -> Eventual<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        if let refusal = hold(request, on: route) { return .value(refusal) }
        let memory = services.limiter.memory
        let (bytes, client) = (Self.memory(of: request), context.client)
        let response = work()
        switch response {
        case .future(let future):
            future.whenComplete { _ in memory.giveBack(bytes, of: .requests, for: client) }
        case .value, .failure: memory.giveBack(bytes, of: .requests, for: client)
        }
        return response
    }

    /// Refuses the start of an SDK at the path of a callback if the memory for starts is used up. The request's own memory
    /// is counted already, with the larger share of a callback.
    /// - Returns: The response if it may not go on; `nil` if it may.
    func refusal(ofStartAtCallback request: BrokerRequest, on route: Route) -> BrokerResponse? {
        if let refusal = hold(request, on: route) { return refusal }
        services.limiter.memory.giveBack(Self.memory(of: request), of: .requests, for: context.client)
        return nil
    }

    /// The memory of a request, in bytes.
    private static func memory(of request: BrokerRequest) -> Int {
        HeldMemory.requestBytes(withBodyOf: request.body.readableBytes)
    }

    /// Takes the memory of a request.
    /// - Returns: The response if there is none for it; `nil` if it was taken.
    private func hold(_ request: BrokerRequest, on route: Route) -> BrokerResponse? {
        // A user may send these again. A sign-in that was completed at the provider would be lost.
        let givesWay = route.limit == .browsers && !route.endsSignIn
        return services.limiter.memory.take(
            Self.memory(of: request), of: .requests, for: context.client, givesWay: givesWay
        ).map { refusal(of: request, on: route, over: $0 == .total ? .requests : .requestsOfAddress) }
    }

    private func refusal(of request: BrokerRequest, on route: Route, over limit: RequestLimit) -> BrokerResponse {
        let reference = note(limit)
        if route.limit == .browsers {
            return page(\.unavailable, .serviceUnavailable, over: limit, reference, retryAfter: 5)
        }
        var response: BrokerResponse =
            switch route {
            case .endpoint(let endpoint):
                CrossOrigin(request).allowing(TokenError.unavailable.response, before: endpoint, for: snapshot)
            // The SDKs take it for a network error. Providers send the notification again.
            default: .plain(status: .serviceUnavailable, "")
            }
        response.head.headerFields[.retryAfter] = "5"
        return response.noting(Self.outcome, reference)
    }

    /// Returns the page for a request over a limit, which is rendered once for each reference.
    private func page(
        _ message: (PageTexts) -> PageMessage, _ status: HTTPResponse.Status, over limit: RequestLimit,
        of app: AppEntry? = nil, _ reference: PageReference, retryAfter seconds: Int64
    ) -> BrokerResponse {
        let language = context.preferredLanguage
        let key = RefusalPages.Key(
            name: limit.rawValue, language: language, app: app?.configuration.displayedName, reference: reference)
        var response = snapshot.refusalPages.response(key) {
            let pages = context.pages(in: language)
            return .page(
                pages.failure(message(pages.texts), status: status, appName: key.app, reference: reference)
            ).noting(Self.outcome, reference)
        }
        response.head.headerFields[.retryAfter] = String(seconds)
        return response
    }

    /// Logs, counts and audits a callback over a limit, which uses nothing up: the same URL works later.
    /// - Returns: The page. Of the login it shows only the app, so it is rendered once for each line in the log, whose
    ///   reference it shows.
    func refusal(
        ofCallback outcome: Outcome, _ login: CallbackLogin, retryAfter seconds: Int64
    ) -> BrokerResponse {
        let known = login.description
        let reference = CallbackLog.write(
            outcome, provider: login.provider.id, number: login.provider.number, app: known.appName, login: nil,
            in: context)
        let language = known.language ?? context.preferredLanguage
        let key = RefusalPages.Key(
            name: outcome.label, language: language, app: known.displayedAppName,
            link: AppRedirect.link(known.redirectURI), reference: reference)
        var response = snapshot.refusalPages.response(key) {
            .page(
                outcome.page(
                    context.pages(in: language), appName: key.app, reference: reference,
                    link: key.link)
            ).noting(outcome.label, reference)
        }
        response.head.headerFields[.retryAfter] = String(seconds)
        return response
    }

    /// The outcome of a request over a limit.
    private static let outcome = "limited"

    @discardableResult
    private func note(
        _ limit: RequestLimit, _ app: AppEntry? = nil, of provider: ProviderEntry? = nil
    ) -> PageReference {
        services.limiter.count(limit)
        context.span?.note(provider: provider?.id, app: app?.configuration.name)
        let line = services.line(limit.line, at: .limit, provider: provider?.number)
        audit.record(
            AuditEvent(
                .limited, outcome: limit.rawValue, provider: provider?.id, app: app?.configuration.name,
                client: context.client, reference: line.reference),
            with: line)
        guard let repetition = line.metadata else { return line.reference }
        var metadata: Logger.Metadata = ["auth.limit": "\(limit.rawValue)"]
        if let provider { metadata["auth.provider"] = "\(provider.id)" }
        if let app { metadata["auth.app"] = "\(app.configuration.name)" }
        if let client = context.client { metadata["auth.client"] = "\(client)" }
        logger.info("request refused: over a limit", metadata: metadata.merging(repetition) { own, _ in own })
        return line.reference
    }
}

extension BrokerResponse {
    /// Whether the client did something wrong (4xx). 429 does not count: it says nothing about the request itself.
    fileprivate var isRefusal: Bool { head.status.kind == .clientError && head.status != .tooManyRequests }
}

extension RequestLimit {
    var line: RepeatableEvent {
        switch self {
        case .browser: .overBrowserRate
        case .subresources: .overSubresourceRate
        case .failures: .overFailureRate
        case .notifications: .overNotificationRate
        case .starts: .overStartRate
        case .app: .overAppRate
        case .callbacks: .tooManyCallbacks
        case .requests, .requestsOfAddress: .noMemoryForRequest
        }
    }
}
