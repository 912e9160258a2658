// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OpenIDRelyingParty

/// What does not change with the configuration: the outside world as the broker reaches it.
struct BrokerServices: Sendable {
    let transport: any ProviderTransport
    let store: any SingleUseStore
    let clock: any UnixClock
    let logger: Logger
    let apple: AppleServices

    func makeRelyingParty(_ configuration: ProviderConfiguration) -> RelyingParty {
        RelyingParty(configuration: configuration, transport: transport, clock: clock)
    }
}
