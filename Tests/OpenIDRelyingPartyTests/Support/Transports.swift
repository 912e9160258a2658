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
    let value: Value
    try await attempt {
        value = try await body(transport)
    } finally: {
        try await shutdown()
    }
    return value
}
