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
    /// - Returns: The page if it is one too many; `nil` if it may proceed.
    func refusal(ofStartOf app: AppEntry) -> BrokerResponse? {
        guard let wait = services.limiter.apps.take(.start, of: app) else { return nil }
        // It is not the person's network that asks too often.
        return page(
            pages.texts.unavailable, retryAfter: wait, reference: note(.app, app),
            appName: app.configuration.displayedName)
    }

    /// Counts a request of an app.
    /// - Returns: The response if it is one too many; `nil` if it may proceed.
    func refusal(ofRequestOf app: AppEntry) -> BrokerResponse? {
        guard let wait = services.limiter.apps.take(.request, of: app) else { return nil }
        note(.app, app)
        return TokenError.tooManyRequests(retryAfter: wait, "The app sends too many requests.")
    }

    /// Returns the response to a client of whose requests too many were refused; `nil` if it may proceed.
    func refusalAfterFailures() -> BrokerResponse? {
        guard let wait = waitAfterFailures() else { return nil }
        return TokenError.tooManyRequests(retryAfter: wait)
    }

    /// Returns the time until a client may proceed of whose requests too many were refused, in seconds, at least 1;
    /// `nil` if it may now.
    func waitAfterFailures() -> Int64? {
        let wait = services.limiter.failures.wait(for: context.client)
        if wait != nil { note(.failures) }
        return wait
    }

    /// Returns the response to a request that was refused before an app was known: the refusal, which is counted, or
    /// that there were too many.
    func counted(_ refusal: BrokerResponse) -> BrokerResponse {
        if let response = refusalAfterFailures() { return response }
        countIfRefused(refusal)
        return refusal
    }

    /// Counts a request for its client if it was refused. A limit is no refusal, and trouble is not the client's doing.
    func countIfRefused(_ response: BrokerResponse) {
        let status = response.head.status
        guard status.kind == .clientError, status != .tooManyRequests else { return }
        services.limiter.failures.spend(context.client)
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
