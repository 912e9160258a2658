// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import Metrics
import NIOCore
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
public import SingleUse

/// The stores of a broker: one in its own memory, or one that several processes share.
public struct SingleUseStores: Sendable {
    private enum Kind: Sendable {
        case inMemory(InMemorySingleUseStore)
        case shared(any SingleUseStore)
    }

    private let kind: Kind

    /// A store in the memory of this process. A login must return to the process in which it began.
    public static func inMemory(_ store: InMemorySingleUseStore) -> SingleUseStores {
        SingleUseStores(kind: .inMemory(store))
    }

    /// A store outside of this process, which several processes may share. The broker repeats an operation that fails, as
    /// the same attempt, for five seconds where a user or an app waits for the end of a sign-in, and for two elsewhere.
    public static func shared(_ store: any SingleUseStore) -> SingleUseStores {
        SingleUseStores(kind: .shared(store))
    }

    /// A store outside of this process, for implementations without event loops.
    public static func shared(_ store: some AsyncSingleUseStore) -> SingleUseStores {
        shared(AsyncSingleUseStoreAdapter(store))
    }

    /// Returns the access to the store of logins and hand-offs, and to that of entries which live for a day. In memory
    /// these are two stores, so that what lives for a day takes no room of what lives for ten minutes.
    /// - Parameters:
    ///   - clock: The wall clock, with which that of a store outside of this process is compared.
    ///   - elapsed: The clock by which what is in such a store counts.
    ///   - memory: The budget for values on their way to such a store.
    func access(
        clock: any UnixClock, elapsed: any ElapsedClock, memory: MemoryBudget,
        metricsFactory: (any MetricsFactory)?, logger: Logger
    ) -> (main: SingleUseAccess, lasting: SingleUseAccess) {
        switch kind {
        case .inMemory(let store):
            func access(to store: InMemorySingleUseStore) -> SingleUseAccess {
                SingleUseAccess(.immediate(store), fullLog: FullStoreLog(logger, setting: "auth.store-bytes"))
            }
            return (access(to: store), access(to: store.makeLastingStore()))
        case .shared(let store):
            let shared = SharedStore(
                store, clock: clock, memory: memory, metrics: SharedStoreMetrics(factory: metricsFactory),
                logger: logger)
            let logins = StoreBudget(
                .logins(processors: System.coreCount, longestRecord: HandOff.lifetime), elapsed: { elapsed.now() })
            return (
                SingleUseAccess(.shared(shared), budget: logins),
                SingleUseAccess(.shared(shared), budget: StoreBudget(.lasting, elapsed: { elapsed.now() }))
            )
        }
    }
}

extension SharedStore {
    /// - Parameters:
    ///   - clock: The wall clock of this process, with which that of the store is compared. What replicas share outlives
    ///     twice the difference that is as it should be.
    ///   - memory: The budget for waiting values and attempts in doubt.
    convenience init(
        _ base: any SingleUseStore, clock: any UnixClock, memory: MemoryBudget, metrics: SharedStoreMetrics,
        logger: Logger
    ) {
        self.init(
            base, storeClock: StoreClock(tolerance: LoginState.clockSkew, logger: logger) { clock.now() },
            memory: memory, metrics: metrics, logger: logger)
    }
}
