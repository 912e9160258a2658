// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// A cached document of one provider, fetched by one request for all callers.
///
/// The state machine decides when the document is fetched; this class runs the fetches and completes the futures.
final class DocumentCache<Machine: DocumentStateMachine>: Sendable
where Machine.Waiter == EventLoopPromise<Machine.Document> {
    typealias Document = Machine.Document
    typealias Fetch = @Sendable (any EventLoop) -> Eventual<FetchedDocument<Document>>

    /// The result of a look-up.
    struct LookUp {
        /// The document, now or later. It fails with ``RelyingPartyError``.
        let document: Eventual<Document>
        /// Whether the document is that of a fetch that was under way before the look-up.
        var isOfEarlierFetch = false
    }

    private let state: Mutex<Machine>
    private let step: RelyingPartyError.Step
    private let elapsed: any ElapsedClock
    private let expiredServe: @Sendable (RelyingPartyError) -> Void

    /// Creates an empty cache.
    /// - Parameters:
    ///   - machine: The state machine in its initial state.
    ///   - step: The step of a sign-in to which the errors belong.
    ///   - elapsed: The clock for ages and pauses.
    ///   - expiredServe: A closure that is called with the error of each failed fetch after which an expired document
    ///     stays in use.
    init(
        _ machine: Machine,
        step: RelyingPartyError.Step,
        elapsed: any ElapsedClock,
        expiredServe: @escaping @Sendable (RelyingPartyError) -> Void = { _ in }
    ) {
        state = Mutex(machine)
        self.step = step
        self.elapsed = elapsed
        self.expiredServe = expiredServe
    }

    /// What is known about the document now. This changes no state and fetches nothing.
    func status() -> DocumentStatus {
        let now = elapsed.now()
        return state.withLock { $0.status(now: now) }
    }

    /// Looks the document up, and fetches it if the state machine says so. A future is of the given event loop.
    func look(
        on eventLoop: any EventLoop,
        fetch: Fetch,
        _ lookUp: (inout Machine, Int64, () -> EventLoopPromise<Document>) -> DocumentLookUpAction<Document>
    ) -> LookUp {
        var promise: EventLoopPromise<Document>?
        let now = elapsed.now()
        let action = state.withLock { state in
            lookUp(&state, now) {
                let made = eventLoop.makePromise(of: Document.self)
                promise = made
                return made
            }
        }
        switch action {
        case .use(let document):
            return LookUp(document: .value(document))
        case .useAndFetch(let document):
            run(fetch, on: eventLoop)
            return LookUp(document: .value(document))
        case .fail(let error):
            return LookUp(document: .failure(error))
        case .fetch, .wait:
            if case .fetch = action { run(fetch, on: eventLoop) }
            guard let promise else {
                return LookUp(document: .failure(RelyingPartyError.unusable(step, "not fetched")))
            }
            return LookUp(document: .future(promise.futureResult), isOfEarlierFetch: action.isWait)
        }
    }

    private func run(_ fetch: Fetch, on eventLoop: any EventLoop) {
        fetch(eventLoop).whenComplete { [self] result in
            let now = elapsed.now()
            switch result {
            case .success(let fetched):
                let waiters = state.withLock { $0.fetched(fetched, now: now) }
                for waiter in waiters { waiter.succeed(fetched.value) }
            case .failure(let error):
                let error = error as? RelyingPartyError ?? .unusable(step, "failed")
                let (action, isExpired) = state.withLock { state in
                    (state.failed(error, now: now), state.servesPastExpiry(now: now))
                }
                if isExpired { expiredServe(error) }
                switch action {
                case .use(let document, let waiters):
                    for waiter in waiters { waiter.succeed(document) }
                case .fail(let waiters):
                    for waiter in waiters { waiter.fail(error) }
                }
            }
        }
    }
}
