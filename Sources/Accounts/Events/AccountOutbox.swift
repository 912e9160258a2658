// SPDX-License-Identifier: Apache-2.0

/// Events that wait to be delivered, in a transaction of a store. Each destination has a queue of its own.
///
/// The events of an account are delivered in the order in which they were appended: only the first one of an account that
/// waits is claimed. A claim ends at a time, and then another process may claim the event. Times are in seconds since 1970.
public protocol AccountOutbox {
    /// Appends an event. It outlives its account.
    func append(_ event: AccountEvent, for destination: String) throws
    /// Claims events that are due: at most one of each account, the longest due first. It needs a transaction of the mode
    /// ``AccountTransactionMode/queue``, as the following ones do.
    /// - Parameters:
    ///   - destination: Whose queue it is.
    ///   - limit: The maximum number.
    ///   - time: The time from which another one may claim them.
    ///   - now: The current time.
    func claim(for destination: String, limit: Int, until time: Int64, at now: Int64) throws -> [QueuedEvent]
    /// Removes a claimed event, after which the next one of its account is due at once. Nothing happens if another one has
    /// claimed it meanwhile, and so with the following ones.
    func remove(_ event: QueuedEvent, at now: Int64) throws
    /// Gives a claimed event back that was not delivered, and with it all events of its account, until a time.
    func postpone(_ event: QueuedEvent, until time: Int64, because detail: String) throws
    /// Gives a claimed event up. It is kept to be looked at, and the next one of its account is due at once.
    func giveUp(_ event: QueuedEvent, at now: Int64, because detail: String) throws

    /// Returns events of all destinations after a position, in the order in which they were appended.
    func events(after position: Int64, limit: Int) throws -> [QueuedEvent]
    /// Returns how much of a queue is in use. No more than `limit` events of a kind are counted.
    func usage(of destination: String, upTo limit: Int) throws -> OutboxUsage
}

/// An event in an outbox.
public struct QueuedEvent: Sendable, Hashable {
    /// The event.
    public let event: AccountEvent
    /// Whom it is delivered to.
    public let destination: String
    /// The place in the outbox, which grows.
    public let position: Int64
    /// How often it was sent in vain.
    public let attempts: Int64
    /// The time from which it is sent, in seconds since 1970.
    public let dueAt: Int64
    /// The time until which it is claimed, in seconds since 1970. It tells claims apart.
    public let claimedUntil: Int64
    /// The time at which it was given up, in seconds since 1970; `nil` if it waits.
    public let givenUpAt: Int64?
    /// Why it was not delivered the last time; `nil` if it was not tried.
    public let detail: String?

    /// Creates an event as a store has it.
    public init(
        _ event: AccountEvent, for destination: String, position: Int64, attempts: Int64, dueAt: Int64,
        claimedUntil: Int64, givenUpAt: Int64?, detail: String?
    ) {
        self.event = event
        self.destination = destination
        self.position = position
        self.attempts = attempts
        self.dueAt = dueAt
        self.claimedUntil = claimedUntil
        self.givenUpAt = givenUpAt
        self.detail = detail
    }
}

/// How much of the queue of a destination is in use.
public struct OutboxUsage: Sendable, Hashable {
    /// The number of events that wait.
    public var waiting: Int
    /// When the oldest of them happened, in seconds since 1970; `nil` if none waits.
    public var oldest: Int64?
    /// The number of events that were given up and are still kept.
    public var givenUp: Int

    /// Creates a usage.
    public init(waiting: Int, oldest: Int64?, givenUp: Int) {
        self.waiting = waiting
        self.oldest = oldest
        self.givenUp = givenUp
    }
}

extension AccountTransaction {
    /// A store without an outbox, whose events cannot be delivered.
    public var outbox: (any AccountOutbox)? { nil }
}
