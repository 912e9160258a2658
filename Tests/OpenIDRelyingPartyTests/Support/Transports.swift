// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import TestingSupport

/// Runs a test with a transport on the shared event loops and shuts it down.
@discardableResult
func withTransport<Value: Sendable>(
    _ kind: TransportKind,
    _ body: (any ProviderTransport) async throws -> Value
) async throws -> Value {
    let (transport, shutdown) = kind.make()
    return try await attempt {
        try await body(transport)
    } finally: {
        try await shutdown()
    }
}
