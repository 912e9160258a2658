// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import Synchronization

/// A response that may not be there yet.
final class PendingResponse: Sendable {
    private let storage = Mutex<BrokerResponse?>(nil)

    init(_ response: BrokerAnswer) {
        switch response {
        case .now(let response): set(response)
        case .later(let future): future.whenSuccess { self.set($0) }
        }
    }

    /// The answer, where it is there.
    var response: BrokerResponse? { storage.withLock { $0 } }

    private func set(_ response: BrokerResponse) { storage.withLock { $0 = response } }
}
