// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging

/// The responses to requests over a limit (RFC 6585 section 4). Each is counted, and one a second of each limit is a
/// line in the log and an event of the audit.
struct LimitResponses: RequestHandling {
    let context: RequestContext

    /// Counts a request of a browser.
    /// - Returns: The response if it is one too many; `nil` if it may proceed.
    func refusal(ofBrowser request: BrokerRequest) -> BrokerResponse? {
        // A page of anybody's, by images that it loads, would use up what the person and their neighbors may do.
        guard !FetchMetadata.isForeignSubresource(request.headerFields) else { return nil }
        guard let wait = services.limiter.browsers.take(request.client) else { return nil }
        let reference = note(.browser)
        // A script is told in its own terms. A browser that does not say what the request is for gets the page, as
        // elsewhere.
        guard FetchMetadata.isNavigation(request.headerFields) else {
            return TokenError.tooManyRequests(retryAfter: wait).noting(Self.outcome, reference)
        }
        return page(pages.texts.tooManyAttempts, retryAfter: wait, reference: reference)
    }

    /// Counts a start of an app.
    /// - Parameters:
    ///   - app: The app.
    ///   - choice: The login ID of the choice that the start resumes, which was counted as a start itself; `nil` for a
    ///     start that the app sent.
    /// - Returns: The page if it is one too many; `nil` if it may proceed.
    func refusal(ofStartOf app: AppEntry, resuming choice: [UInt8]?) -> BrokerResponse? {
        guard let wait = services.limiter.apps.takeStart(of: app, resuming: choice) else { return nil }
        // It is not the person's network that asks too often.
        return page(
            pages.texts.unavailable, retryAfter: wait, reference: note(.app, app),
            appName: app.configuration.displayedName)
    }

    /// Counts a request of an app.
    /// - Returns: The response if it is one too many; `nil` if it may proceed.
    func refusal(ofRequestOf app: AppEntry) -> BrokerResponse? {
        guard let wait = services.limiter.apps.takeRequest(of: app) else { return nil }
        note(.app, app)
        return TokenError.tooManyRequests(retryAfter: wait, "The app sends too many requests.")
    }

    /// Counts a request as a refused one before it is worked on, so that requests that are under way at once cannot
    /// pass together. ``settle(_:)`` must follow if it may proceed.
    /// - Returns: The response if too many requests of the client were refused, or are under way; `nil` if it may
    ///   proceed.
    func refusalAfterFailures() -> BrokerResponse? {
        guard let wait = takeFailure() else { return nil }
        return TokenError.tooManyRequests(retryAfter: wait)
    }

    /// Counts a request as ``refusalAfterFailures()`` does.
    /// - Returns: The time until the client may proceed, in seconds, at least 1; `nil` if it may now.
    func takeFailure() -> Int64? {
        let wait = services.limiter.failures.take(context.client)
        if wait != nil { note(.failures) }
        return wait
    }

    /// Counts a request as a refused one no longer, unless it was refused. A limit is no refusal, and trouble is not
    /// the client's doing.
    /// - Parameter response: The response to a request that was counted; `nil` if there is none.
    func settle(_ response: BrokerResponse?) {
        if let status = response?.head.status, status.kind == .clientError, status != .tooManyRequests { return }
        services.limiter.failures.giveBack(context.client)
    }

    /// Returns the response to a request that was refused before an app was known: the refusal, which is counted, or
    /// that there were too many.
    func counted(_ refusal: BrokerResponse) -> BrokerResponse {
        if let response = refusalAfterFailures() { return response }
        settle(refusal)
        return refusal
    }

    private func page(
        _ message: PageMessage, retryAfter: Int64, reference: PageReference, appName: String? = nil
    ) -> BrokerResponse {
        var response = BrokerResponse.page(
            pages.failure(message, status: .tooManyRequests, appName: appName, reference: reference))
        response.head.headerFields[.retryAfter] = String(retryAfter)
        return response.noting(Self.outcome, reference)
    }

    /// The outcome of a request over a limit.
    private static let outcome = "limited"

    @discardableResult
    private func note(_ limit: RequestLimit, _ app: AppEntry? = nil) -> PageReference {
        services.limiter.count(limit)
        context.span?.note(app: app?.configuration.name)
        let line = services.line(limit.line, at: .limit)
        guard let repetition = line.metadata else { return line.reference }
        // One a second as well: a client over its rate would otherwise fill the disk, or the queue, with these.
        audit.record(
            AuditEvent(
                .limited, outcome: limit.rawValue, app: app?.configuration.name, client: context.client,
                reference: line.reference))
        var metadata: Logger.Metadata = ["auth.limit": "\(limit.rawValue)"]
        if let app { metadata["auth.app"] = "\(app.configuration.name)" }
        if let client = context.client { metadata["auth.client"] = "\(client)" }
        logger.info("a request was over a limit", metadata: metadata.merging(repetition) { own, _ in own })
        return line.reference
    }
}

extension RequestLimit {
    var line: RepeatableLine {
        switch self {
        case .browser: .overBrowserRate
        case .failures: .overFailureRate
        case .app: .overAppRate
        case .callbacks: .tooManyCallbacks
        }
    }
}
