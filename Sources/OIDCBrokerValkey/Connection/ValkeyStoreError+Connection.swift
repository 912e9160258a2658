// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import OpenIDRelyingParty

extension ValkeyStoreError {
    /// The error for a connection that could not be made or used. NIO lists the addresses and errors; one sentence says the
    /// same.
    init(connection error: any Error) {
        let words = (error as? NIOConnectionError).map { "\(ProviderTransportError(classifying: $0))" }
        self = error as? ValkeyStoreError ?? .unreachable.with(words ?? "\(error)")
    }
}
