// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Synchronization

/// Delivers the events of a destination from the outbox of a store: at least once, and those of an account in order, also
/// where several processes do so. ``StateMachine`` decides; this claims, sends and writes.
package final class EventDelivery: Sendable {
    /// What became of events.
    package enum Outcome: String, Sendable, CaseIterable {
        case delivered, postponed, lost
        case givenUp = "given_up"
    }

    /// What happened in a pass, for metrics and the log.
    package struct Report: Sendable {
        /// The numbers of events.
        package fileprivate(set) var counts: [Outcome: Int] = [:]
        /// Why one of them was not delivered; `nil` if all were.
        package fileprivate(set) var detail: String?
    }

    /// Sends an event, and returns if it was taken. The text of another error than ``EventRefusal`` is not kept.
    package typealias Receiver = @Sendable (AccountEvent, any EventLoop) async throws -> Void

    /// The name of the queue.
    package var destination: String { listener.destination }
    private let store: any AccountStore
    private let listener: AccountListener
    private let clock: @Sendable () -> Int64
    private let receiver: Receiver
    private let state: Mutex<StateMachine>

    /// - Parameters:
    ///   - store: The store.
    ///   - listener: The destination.
    ///   - clock: Returns the current time, in seconds since 1970.
    ///   - patience: The time for which an event is tried, in seconds; `nil` for three days.
    ///   - receiver: Sends an event.
    package init(
        store: any AccountStore, listener: AccountListener, clock: @escaping @Sendable () -> Int64,
        patience: Int64? = nil, receiver: @escaping Receiver
    ) {
        state = Mutex(StateMachine(patience: patience ?? StateMachine.usualPatience))
        self.store = store
        self.listener = listener
        self.clock = clock
        self.receiver = receiver
    }

    /// Claims events that are due, sends them, and writes what became of them.
    /// - Returns: The number of seconds until the next pass, and what happened.
    /// - Throws: An error of the store. What was claimed is delivered later, and perhaps again.
    package func pass(on eventLoop: any EventLoop) async throws -> (wait: Int64, report: Report) {
        var report = Report()
        let lost = listener.takeLost()
        if lost > 0 { report.counts[.lost] = lost }
        let (destination, now) = (listener.destination, clock())
        let (limit, until): (Int, Int64)
        switch state.withLock({ $0.next(at: now) }) {
        case .wait(let seconds): return (seconds, report)
        case .claim(let most, let end): (limit, until) = (most, end)
        }
        let claimed = try await store.transact(.queue, on: eventLoop) { transaction in
            guard let outbox = transaction.outbox else { throw AccountStoreError.noOutbox }
            return try outbox.claim(for: destination, limit: limit, until: until, at: now)
        }.get()
        guard !claimed.isEmpty else { return (StateMachine.idle, report) }
        let results = await send(claimed, on: eventLoop)
        let end = clock()
        let settled = state.withLock { machine in
            results.map { event, refusal in
                (event, machine.settle(event, refusal: refusal, at: end), refusal)
            }
        }
        try await store.transact(.queue, on: eventLoop) { transaction in
            guard let outbox = transaction.outbox else { throw AccountStoreError.noOutbox }
            for (event, settlement, refusal) in settled {
                let detail = refusal?.description ?? ""
                switch settlement {
                case .remove: try outbox.remove(event, at: end)
                case .postpone(let until): try outbox.postpone(event, until: until, because: detail)
                case .giveUp: try outbox.giveUp(event, at: end, because: detail)
                }
            }
        }.get()
        for (_, settlement, refusal) in settled {
            report.counts[Outcome(settlement), default: 0] += 1
            report.detail = report.detail ?? refusal?.description
        }
        let delivered = settled.count(where: { $0.2?.isFinal ?? true })
        let refused = settled.count - delivered
        let wait = state.withLock { $0.ended(delivered: delivered, refused: refused, at: end) }
        return (wait, report)
    }

    /// Counts the events that wait, on which depends whether there is room for more.
    /// - Throws: An error of the store.
    package func measure(on eventLoop: any EventLoop) async throws -> OutboxUsage {
        let (destination, room) = (listener.destination, listener.room)
        let usage = try await store.transact(.list, on: eventLoop) { transaction in
            guard let outbox = transaction.outbox else { throw AccountStoreError.noOutbox }
            return try outbox.usage(of: destination, upTo: room)
        }.get()
        listener.note(waiting: usage.waiting)
        return usage
    }

    /// Sends events at once, each of another account.
    /// - Returns: Those that were sent, with why they were not taken.
    private func send(
        _ events: [QueuedEvent], on eventLoop: any EventLoop
    ) async -> [(event: QueuedEvent, refusal: EventRefusal?)] {
        let now = clock()
        let sendable = state.withLock { machine in events.filter { machine.maySend($0, at: now) } }
        return await withTaskGroup(of: (QueuedEvent, EventRefusal?).self) { group in
            for event in sendable {
                group.addTask { [receiver] in
                    do {
                        try await receiver(event.event, eventLoop)
                        return (event, nil)
                    } catch {
                        // The description of another part's error may contain anything.
                        return (event, error as? EventRefusal ?? EventRefusal("\(type(of: error))"))
                    }
                }
            }
            var results: [(event: QueuedEvent, refusal: EventRefusal?)] = []
            for await result in group { results.append((event: result.0, refusal: result.1)) }
            return results
        }
    }
}

/// Why a receiver did not take an event. It contains nothing of the event and no secret.
package struct EventRefusal: Error, CustomStringConvertible {
    package let description: String
    /// Whether it is of no use to send the event again.
    let isFinal: Bool

    /// Creates a refusal.
    /// - Parameters:
    ///   - description: What the receiver said.
    ///   - isFinal: Whether it is of no use to send the event again.
    package init(_ description: String, isFinal: Bool = false) {
        self.description = description
        self.isFinal = isFinal
    }
}

extension EventDelivery.Outcome {
    fileprivate init(_ settlement: EventDelivery.StateMachine.Settlement) {
        switch settlement {
        case .remove: self = .delivered
        case .postpone: self = .postponed
        case .giveUp: self = .givenUp
        }
    }
}
