// SPDX-License-Identifier: Apache-2.0

import JOSE
import SignInWithApple

/// A name that nobody signed, as an app gets it: the `user` member of the response.
struct UnverifiedName: Sendable, Hashable {
    /// `given_name`, `family_name` and `name`, of which those are there that were given. No e-mail address, ever.
    let object: JSONObject

    /// The name in Apple's field `user`; `nil` if it holds none.
    init?(appleUser text: WireText) {
        guard let user = AppleUser(json: text), let name = user.displayName else { return nil }
        var object = JSONObject()
        if let givenName = user.givenName { object["given_name"] = .string(givenName) }
        if let familyName = user.familyName { object["family_name"] = .string(familyName) }
        object["name"] = .string(name)
        self.object = object
    }

    /// A name of our own writing.
    init(_ object: JSONObject) { self.object = object }

    /// What ``object`` is as text, UTF-8.
    var encoded: [UInt8] { object.serialized() }

    init?(encoded: [UInt8]) {
        guard let object = try? JSONParser.object(encoded, limits: JSONLimits(maximumBytes: Self.longestText)) else {
            return nil
        }
        self.object = object
    }

    /// Twice 255 scalars, and both again, each escaped.
    private static let longestText = 16_384
}
