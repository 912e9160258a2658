// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE
import Logging
import NIOCore
package import OIDCBrokerConfiguration
import OpenIDRelyingParty
import ServiceLifecycle
import Synchronization

/// The queues of the apps that hear of the end of their sessions, each delivered by a task of its own.
final class LogoutQueues: Sendable {
    /// The time for which an app is told of the end of a session, in seconds: a day.
    static let patience: Int64 = 86_400

    private struct Queue {
        let listener: AccountListener
        let delivery: AccountEventDelivery
    }

    private let store: any AccountStore
    private let logouts: AppLogouts
    private let clock: any UnixClock
    private let logger: Logger
    /// By client ID. They stay while the process runs: what waits for an app is sent when the app is configured again.
    private let queues = Mutex<[WireText: Queue]>([:])

    init(store: any AccountStore, logouts: AppLogouts, clock: any UnixClock, logger: Logger) {
        self.store = store
        self.logouts = logouts
        self.clock = clock
        self.logger = logger
    }

    /// Returns who hears of the end of sessions under a configuration, by client ID.
    func listeners(beside broker: BrokerConfiguration) -> [WireText: AccountListener] {
        queues.withLock { queues in
            let listeners = AccountListener.logouts(beside: broker, known: queues.mapValues { $0.listener })
            for (clientID, listener) in listeners where queues[clientID] == nil {
                queues[clientID] = Queue(listener: listener, delivery: delivery(to: clientID, listener))
            }
            return listeners
        }
    }

    /// What delivers the logout tokens of an app; `nil` if it has never had any.
    func delivery(to clientID: String) -> AccountEventDelivery? {
        queues.withLock { $0[WireText(clientID)]?.delivery }
    }

    /// Delivers until graceful shutdown or cancellation. What was begun is finished.
    func run(on eventLoop: any EventLoop) async {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                var running: Set<WireText> = []
                while !Task.isCancelled {
                    for (clientID, queue) in queues.withLock({ $0 }) where running.insert(clientID).inserted {
                        group.addTask { await queue.delivery.run(on: eventLoop) }
                    }
                    if (try? await Task.sleep(for: .seconds(1))) == nil { return }
                }
            }
        }
    }

    private func delivery(to clientID: WireText, _ listener: AccountListener) -> AccountEventDelivery {
        let owner = ObjectIdentifier(listener)
        let delivery = EventDelivery(
            store: store, listener: listener, clock: { [clock] in clock.now() }, patience: Self.patience
        ) { [logouts] event, eventLoop in
            try await logouts.deliver(event, to: clientID, owner: owner, on: eventLoop)
        }
        return AccountEventDelivery(delivery, of: .logoutTokens, clock: clock, logger: logger) { [logouts] in
            logouts.reach(clientID)
        }
    }
}

extension AccountListener {
    /// Returns the apps of a configuration that hear of the end of their sessions, by client ID.
    /// - Parameter known: The present ones.
    package static func logouts(
        beside broker: BrokerConfiguration, known: [WireText: AccountListener] = [:]
    ) -> [WireText: AccountListener] {
        Dictionary(
            broker.apps.filter { $0.backChannelLogoutEndpoint != nil }.map { app in
                let clientID = WireText(app.clientID)
                return (clientID, known[clientID] ?? AccountListener(logoutsOf: app.clientID))
            }, uniquingKeysWith: { first, _ in first })
    }
}
