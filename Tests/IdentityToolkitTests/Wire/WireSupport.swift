// SPDX-License-Identifier: Apache-2.0

import JOSE

@testable import IdentityToolkit

/// What the tests of the wire share.
enum WireSupport {
    /// The error with which something was refused; `nil` if it was not.
    static func error<Value>(_ body: () throws -> Value) throws -> ToolkitError? {
        do {
            _ = try body()
            return nil
        } catch let error as ToolkitError {
            return error
        }
    }

    /// The code with which something was refused; `nil` if it was not.
    static func code<Value>(_ body: () throws -> Value) throws -> ToolkitError.Code? {
        try error(body)?.code
    }

    /// A body as it was sent.
    static func body(_ json: String) throws -> ToolkitBody {
        try ToolkitBody(json: Array(json.utf8))
    }

    /// The members of a response as a client reads them.
    static func object(_ bytes: [UInt8]) throws -> JSONObject {
        try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
    }
}
