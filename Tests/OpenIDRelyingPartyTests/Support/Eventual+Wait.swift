// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

extension Eventual {
    /// The value, at once or from a future that is complete.
    func wait() throws -> Value {
        switch self {
        case .value(let value): value
        case .failure(let error): throw error
        case .future(let future): try future.wait()
        }
    }
}
