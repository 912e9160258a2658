// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import Synchronization
import OpenIDRelyingParty

/// A response that may not be there yet.
final class PendingResponse: Sendable {
    private let storage = Mutex<BrokerResponse?>(nil)

    init(_ response: Eventual<BrokerResponse>) {
        response.whenComplete { result in
            if case .success(let response) = result { self.set(response) }
        }
    }

    /// The response; `nil` if it is not available yet.
    var response: BrokerResponse? { storage.withLock { $0 } }

    private func set(_ response: BrokerResponse) { storage.withLock { $0 = response } }
}
