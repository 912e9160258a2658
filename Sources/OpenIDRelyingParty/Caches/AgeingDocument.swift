// SPDX-License-Identifier: Apache-2.0

/// The state machine of a document that is fetched again because of its age.
package struct AgeingDocument<Document: Sendable, Waiter: Sendable>: DocumentStateMachine {
    /// The document that was fetched last.
    private(set) var document: CachedDocument<Document>?
    /// Whether a fetch is under way.
    private(set) var isFetching = false
    private var pause = FailurePause()
    private var waiters: [Waiter] = []

    package init() {}

    /// Looks the document up. `makeWaiter` is called only if the caller must wait.
    package mutating func lookUp(now: Int64, makeWaiter: () -> Waiter) -> DocumentLookUpAction<Document> {
        guard let document = usable(now: now) else { return fetchOrWait(now: now, makeWaiter: makeWaiter) }
        guard document.phase(now: now) == .ageing, !isFetching, !hasFailedRecently(now: now) else {
            return .use(document.value)
        }
        isFetching = true
        return .useAndFetch(document.value)
    }

    package mutating func fetched(_ fetched: FetchedDocument<Document>, now: Int64) -> [Waiter] {
        self.fetched(CachedDocument(fetched, fetchedAt: now))
    }

    package mutating func failed(
        _ error: RelyingPartyError, now: Int64
    ) -> DocumentFailureAction<Document, Waiter> {
        pause.failed(error, now: now)
        let waiters = takeWaiters()
        guard let document, document.phase(now: now) != .gone else { return .fail(waiters) }
        return .use(document.value, waiters)
    }

    package func servesPastExpiry(now: Int64) -> Bool {
        document?.phase(now: now) == .expired
    }

    package func status(now: Int64) -> DocumentStatus {
        var status = DocumentStatus()
        if let document, document.phase(now: now) != .gone {
            status.phase = document.phase(now: now) == .expired ? .expired : .current
            status.age = now - document.fetchedAt
        }
        if let failures = pause.failures {
            status.failure = DocumentStatus.Failure(error: failures.error, seconds: max(0, now - failures.since))
        }
        return status
    }

    // MARK: For state machines that fetch a document for other reasons as well

    /// The document if it may be used: one that has expired only while it cannot be fetched.
    func usable(now: Int64) -> CachedDocument<Document>? {
        guard let document else { return nil }
        switch document.phase(now: now) {
        case .fresh, .ageing: return document
        case .expired: return hasFailedRecently(now: now) ? document : nil
        case .gone: return nil
        }
    }

    /// Whether the last fetch failed and its pause lasts.
    func hasFailedRecently(now: Int64) -> Bool {
        pause.error(now: now) != nil
    }

    /// Records the document of a fetch that succeeded, and returns the waiters for it.
    mutating func fetched(_ document: CachedDocument<Document>) -> [Waiter] {
        self.document = document
        pause.succeeded()
        return takeWaiters()
    }

    /// Begins a fetch unless the last one failed recently; waits for the one under way if there is one.
    mutating func fetchOrWait(now: Int64, makeWaiter: () -> Waiter) -> DocumentLookUpAction<Document> {
        if !isFetching, let error = pause.error(now: now) { return .fail(error) }
        return join(makeWaiter)
    }

    /// Waits for the fetch under way, or begins one.
    mutating func join(_ makeWaiter: () -> Waiter) -> DocumentLookUpAction<Document> {
        waiters.append(makeWaiter())
        guard !isFetching else { return .wait }
        isFetching = true
        return .fetch
    }

    private mutating func takeWaiters() -> [Waiter] {
        isFetching = false
        defer { waiters = [] }
        return waiters
    }
}
