// SPDX-License-Identifier: Apache-2.0

import ExampleServing
import Testing

@testable import async_server
@testable import embedded_tls_server

#if Examples
    @testable import hummingbird_server
#endif

/// The example servers over TLS.
enum Example: Sendable, CaseIterable, CustomTestStringConvertible {
    case embedded
    case async
    #if Examples
        case hummingbird
    #endif

    /// The server's type.
    var server: any ExampleServer.Type {
        switch self {
        case .embedded: return EmbeddedTLSServer.self
        case .async: return AsyncServer.self
        #if Examples
            case .hummingbird: return HummingbirdServer.self
        #endif
        }
    }

    var testDescription: String { "\(server)" }
}
