// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JOSE

/// A vector of Project Wycheproof.
struct WycheproofVector {
    /// What it has in common with others, such as the key.
    let group: JSONObject
    let test: JSONObject

    /// Its number in the file.
    var number: Int64 { test["tcId"]?.integerValue ?? 0 }
    var comment: String { test["comment"]?.text?.makeString() ?? "" }
    /// Whether every implementation must accept it. What is only acceptable is refused, unless a test says otherwise.
    var isValid: Bool { test["result"] == "valid" }

    /// The bytes of a member in hexadecimal.
    func octets(_ name: String) throws -> [UInt8] { try Self.octets(test[name]) }

    /// The bytes of a hexadecimal text.
    static func octets(_ value: JSONValue?) throws -> [UInt8] {
        bytes(hex: try #require(value?.text).makeString())
    }

    /// A member that is an object.
    func object(_ name: String) throws -> JSONObject { try #require(test[name]?.objectValue) }

    /// Whether there is a result, which must be the one in a member then.
    func accepts(_ result: [UInt8]?, _ name: String) throws -> Bool {
        guard let result else { return false }
        let expected = try octets(name)
        #expect(result == expected, "\(number): \(comment)")
        return true
    }
}
