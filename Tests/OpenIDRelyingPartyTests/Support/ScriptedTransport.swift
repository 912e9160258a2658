// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// A transport without sockets, which responds by a script and records its requests.
final class ScriptedTransport: ProviderTransport {
    private let script: @Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>
    private let received = Mutex<[ProviderRequest]>([])

    init(_ script: @escaping @Sendable (ProviderRequest) -> Result<ProviderResponse, ProviderTransportError>) {
        self.script = script
    }

    /// What was asked so far.
    var requests: [ProviderRequest] { received.withLock { $0 } }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        received.withLock { $0.append(request) }
        switch script(request) {
        case .success(let response): return eventLoop.makeSucceededFuture(response)
        case .failure(let error): return eventLoop.makeFailedFuture(error)
        }
    }
}
