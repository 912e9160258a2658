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
    let logger: Logger

    init(transport: any ProviderTransport, store: any SingleUseStore, clock: any UnixClock, logger: Logger) {
        self.transport = transport
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    func makeRelyingParty(_ configuration: ProviderConfiguration) -> RelyingParty {
        RelyingParty(configuration: configuration, transport: transport, clock: clock)
    }
}
