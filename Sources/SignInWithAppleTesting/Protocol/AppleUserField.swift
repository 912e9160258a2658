// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The `user` field of a first consent, which is unsigned JSON.
struct AppleUserField: Sendable {
    let givenName: String
    let familyName: String
    let email: String?
    let hasName: Bool
    let misbehavior: MockApple.Misbehavior

    var text: String {
        var user = JSONObject()
        switch misbehavior {
        case .malformedUser: return "{\"name\": {\"firstName\": "
        case .scriptInUser: user["name"] = Self.name("<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>")
        case .longUser: user["name"] = Self.name(String(repeating: "x", count: 30_000), familyName)
        case .oversizedUser: user["name"] = Self.name(String(repeating: "x", count: 1 << 20), familyName)
        default: if hasName { user["name"] = Self.name(givenName, familyName) }
        }
        if let email { user["email"] = .string(misbehavior == .otherEmailInUser ? "victim@example.com" : email) }
        return String(decoding: user.serialized(), as: UTF8.self)
    }

    private static func name(_ given: String, _ family: String) -> JSONValue {
        ["firstName": .string(given), "lastName": .string(family)]
    }
}
