// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension Eventual {
    /// The value, at once or when its future is complete.
    func get() async throws -> Value {
        switch self {
        case .value(let value): value
        case .failure(let error): throw error
        case .future(let future): try await future.get()
        }
    }
}
