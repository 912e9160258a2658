// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OpenIDConnect
import SignInWithApple

/// A name that no signature covers, as an app receives it in the `user` member of the response.
package struct UnverifiedName: Sendable, Hashable {
    /// The members `given_name`, `family_name` and `name`, as far as they were sent. Never an email.
    package let object: JSONObject

    /// Reads the name in Apple's `user` field; `nil` if there is none.
    package init?(appleUser text: WireText) {
        guard let user = AppleUser(json: text), let name = user.displayName else { return nil }
        var object = JSONObject()
        if let givenName = user.givenName { object["given_name"] = .string(givenName) }
        if let familyName = user.familyName { object["family_name"] = .string(familyName) }
        object["name"] = .string(name)
        self.object = object
    }

    /// Creates a name from an ``object`` that this type created.
    package init(_ object: JSONObject) { self.object = object }

    /// The member `name`; `nil` if there is none.
    package var fullName: String? { Claims(object).string("name") }

    /// The object as UTF-8 text.
    package var encoded: [UInt8] { object.serialized() }

    /// Reads a name; `nil` if it is not one that was ``encoded``.
    package init?(encoded: [UInt8]) {
        guard let object = try? JSONParser.object(encoded, limits: JSONLimits(maximumBytes: Self.longestText)) else {
            return nil
        }
        self.object = object
    }

    /// The maximum length in bytes: two names of 255 scalars, and both again as the full name, all escaped.
    private static let longestText = 16_384
}
