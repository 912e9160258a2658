// SPDX-License-Identifier: Apache-2.0

import Accounts
import Logging
import Metrics
import NIOCore
import OIDCBroker
import OIDCBrokerOperations
import OpenIDRelyingParty
import ServiceLifecycle
import Synchronization

/// A task that delivers the events of a queue, with the metrics and the log of it.
final class AccountEventDelivery: Sendable {
    /// What is delivered, as the log calls it.
    enum Kind: String {
        case events = "account events"
        case logoutTokens = "logout tokens"

        /// The counter of it.
        fileprivate var label: String {
            switch self {
            case .events: "auth_account_events"
            case .logoutTokens: "auth_logout_tokens"
            }
        }
    }

    /// The time between two counts of the waiting events, and after a failure of the store, in seconds.
    static let measuring: Int64 = 15

    private let delivery: EventDelivery
    private let kind: Kind
    private let isListening: @Sendable () -> Bool
    private let clock: any UnixClock
    private let logger: Logger
    private let counters: [EventDelivery.Outcome: Counter]
    private let usage = Mutex<OutboxUsage?>(nil)

    /// - Parameters:
    ///   - delivery: What delivers.
    ///   - kind: What is delivered.
    ///   - clock: The wall clock.
    ///   - logger: Where it is logged what is not delivered.
    ///   - factory: What makes the counters.
    ///   - isListening: Whether there is a receiver now.
    init(
        _ delivery: EventDelivery, of kind: Kind = .events, clock: any UnixClock, logger: Logger,
        factory: any MetricsFactory = MetricsSystem.factory, isListening: @escaping @Sendable () -> Bool
    ) {
        self.delivery = delivery
        self.kind = kind
        self.clock = clock
        self.logger = logger
        self.isListening = isListening
        counters = Dictionary(
            uniqueKeysWithValues: EventDelivery.Outcome.allCases.map {
                ($0, Counter(label: kind.label, dimensions: [("outcome", $0.rawValue)], factory: factory))
            })
    }

    /// What waits; none before it was counted.
    var samples: [MetricSample] {
        guard isListening(), let usage = usage.withLock({ $0 }) else { return [] }
        return [
            MetricSample("auth_account_events_waiting", [], Double(usage.waiting)),
            MetricSample(
                "auth_account_events_oldest_seconds", [], Double(usage.oldest.map { max(0, clock.now() - $0) } ?? 0)),
            MetricSample("auth_account_events_given_up", [], Double(usage.givenUp)),
        ]
    }

    /// Delivers until graceful shutdown or cancellation. What was begun is finished.
    func run(on eventLoop: any EventLoop) async {
        await cancelWhenGracefulShutdown { [self] in
            var measuredAt: Int64?
            while !Task.isCancelled {
                var wait: Int64 = 1
                if isListening() {
                    wait = await pass(on: eventLoop)
                    let now = clock.now()
                    if measuredAt.map({ now - $0 >= Self.measuring || now < $0 }) ?? true {
                        measuredAt = now
                        await measure(on: eventLoop)
                    }
                }
                if wait > 0, (try? await Task.sleep(for: .seconds(min(wait, Self.measuring)))) == nil { return }
            }
        }
    }

    /// Delivers what is due.
    /// - Returns: The number of seconds until the next pass.
    func pass(on eventLoop: any EventLoop) async -> Int64 {
        do {
            let (wait, report) = try await delivery.pass(on: eventLoop)
            for (outcome, count) in report.counts { counters[outcome]?.increment(by: Int64(count)) }
            if let lost = report.counts[.lost] {
                logger.error(
                    "\(kind.rawValue) lost: too many are waiting",
                    metadata: ["auth.count": "\(lost)", "auth.destination": "\(delivery.destination)"])
            }
            if let detail = report.detail {
                let givenUp = report.counts[.givenUp] ?? 0
                logger.warning(
                    "\(kind.rawValue) not delivered",
                    metadata: [
                        "auth.detail": "\(detail)", "auth.count": "\((report.counts[.postponed] ?? 0) + givenUp)",
                        "auth.given_up": "\(givenUp)", "auth.destination": "\(delivery.destination)",
                    ])
            }
            return wait
        } catch {
            note(error)
            return Self.measuring
        }
    }

    /// Counts what waits.
    func measure(on eventLoop: any EventLoop) async {
        do {
            let measured = try await delivery.measure(on: eventLoop)
            usage.withLock { $0 = measured }
        } catch {
            note(error)
        }
    }

    private func note(_ error: any Error) {
        // The description of another error than a store's may contain anything.
        let detail = (error as? AccountStoreError)?.description ?? "\(type(of: error))"
        logger.warning("cannot deliver \(kind.rawValue)", metadata: ["auth.error": "\(detail)"])
    }
}
