// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import Synchronization

/// An answer that may not be there yet.
final class PendingAnswer: Sendable {
    private let storage = Mutex<BrokerResponse?>(nil)

    init(_ answer: BrokerAnswer) {
        switch answer {
        case .now(let response): set(response)
        case .later(let future): future.whenSuccess { self.set($0) }
        }
    }

    /// The answer, where it is there.
    var response: BrokerResponse? { storage.withLock { $0 } }

    private func set(_ response: BrokerResponse) { storage.withLock { $0 = response } }
}
