// SPDX-License-Identifier: Apache-2.0

/// The state machine of a ``DocumentCache``: decides what a look-up and the end of a fetch lead to. It does no I/O and
/// has no clock; `now` is a parameter.
package protocol DocumentStateMachine<Document, Waiter>: Sendable {
    associatedtype Document: Sendable
    associatedtype Waiter: Sendable

    /// Records that a fetch succeeded, and returns the waiters for its document.
    mutating func fetched(_ fetched: FetchedDocument<Document>, now: Int64) -> [Waiter]

    /// Records that a fetch failed. A document that is not too old stays in use.
    mutating func failed(_ error: RelyingPartyError, now: Int64) -> DocumentFailureAction<Document, Waiter>

    /// Whether the document in use has expired.
    func servesPastExpiry(now: Int64) -> Bool

    /// What is known about the document, for operators.
    func status(now: Int64) -> DocumentStatus
}

/// The action that a look-up leads to.
package enum DocumentLookUpAction<Document: Sendable>: Sendable {
    /// Use the document.
    case use(Document)
    /// Use the document, and fetch it in the background.
    case useAndFetch(Document)
    /// The waiter was stored. Fetch the document.
    case fetch
    /// The waiter was stored. A fetch is already under way.
    case wait
    /// The last fetch failed recently.
    case fail(RelyingPartyError)

    /// Whether this is ``wait``.
    var isWait: Bool { if case .wait = self { true } else { false } }
}

/// The action that a failed fetch leads to, for the waiters.
package enum DocumentFailureAction<Document: Sendable, Waiter: Sendable>: Sendable {
    /// Use the stale document.
    case use(Document, [Waiter])
    /// Report the error of the fetch.
    case fail([Waiter])
}
