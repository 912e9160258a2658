// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDRelyingParty

/// Runs a test with a transport on the shared event loops and shuts it down.
@discardableResult
func withTransport<Value: Sendable>(
    _ body: (AsyncHTTPClientTransport) async throws -> Value
) async throws -> Value {
    let transport = AsyncHTTPClientTransport(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
    let value: Value
    do {
        value = try await body(transport)
    } catch {
        try await transport.shutdown()
        throw error
    }
    try await transport.shutdown()
    return value
}
