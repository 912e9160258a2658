// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OpenIDRelyingParty

/// What does not change with the configuration: the outside world as the broker reaches it. A class, as whatever a
/// request takes along into a closure: one reference to count instead of one for each field.
final class BrokerServices: Sendable {
    let transport: any ProviderTransport
    let store: any SingleUseStore
    let clock: any UnixClock
    let elapsed: any ElapsedClock
    let logger: Logger
    let apple: AppleServices
    /// What each client address has taken lately.
    let clients: ClientTallies
    /// Which lines were written a moment ago.
    private let repeatedLines = RepeatedLines()

    /// The store, if it decides without waiting.
    private let immediateStore: InMemorySingleUseStore?

    init(
        transport: any ProviderTransport, stores: SingleUseStores, clock: any UnixClock,
        elapsed: any ElapsedClock, logger: Logger, apple: AppleServices,
        clientLimits: ClientLimits
    ) {
        self.transport = transport
        store = stores.main
        immediateStore = stores.immediate
        self.clock = clock
        self.elapsed = elapsed
        self.logger = logger
        self.apple = apple
        clients = ClientTallies(clientLimits, clock: elapsed)
    }

    /// Inserts into the store; without a future where the store needs none.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner? = nil, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> Eventual<SingleUseInsertion> {
        if let immediateStore {
            return .value(immediateStore.insertIfAbsent(key, value: value, owner: owner, expiry: expiry, now: now))
        }
        return .future(store.insertIfAbsent(key, value: value, owner: owner, expiry: expiry, now: now, on: eventLoop))
    }

    /// What a line says of those like it that were left out; `nil` if it is to be left out itself.
    /// - Parameter provider: the number of whose line it is, see ``ProviderEntry/number``; nil: nobody's, or not known.
    func repetition(
        of line: RepeatableLine, at place: RepeatableLine.Place = .callback, provider: UInt64? = nil
    ) -> Logger.Metadata? {
        switch repeatedLines.note(line, at: place, provider: provider, now: clock.now()) {
        case .leaveOut: nil
        case .write(leftOut: 0): [:]
        case .write(let leftOut): ["auth.repeated": "\(leftOut)"]
        }
    }

    /// - Parameter provider: the provider's id, as logs and counts name it.
    func makeRelyingParty(_ configuration: ProviderConfiguration, provider: String) -> RelyingParty {
        RelyingParty(
            configuration: configuration, transport: transport, clock: clock, elapsed: elapsed,
            observer: ProviderKeysLog(provider: provider, logger: logger))
    }
}
