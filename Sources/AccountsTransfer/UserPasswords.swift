// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE

/// The passwords of the users of a file, which are not kept with accounts: hashes, salts and their versions.
package struct UserPasswords: Sendable {
    /// What Firebase writes in place of a hash for who may not read it: `REDACTED`, in Base64.
    private static let redacted = "UkVEQUNURUQ="

    private var members: [AccountID: JSONObject] = [:]
    /// The number of users whose hashes Firebase has left out.
    package private(set) var redactedCount = 0

    /// Creates no passwords.
    package init() {}

    /// Reads the passwords of a file.
    package mutating func read(_ reader: inout UserReader) throws {
        while let element = try reader.next() {
            guard let user = try? UserDecoder.object(element), let id = UserDecoder.id(of: user),
                let hash = user[UserMember.passwordHash.rawValue]
            else { continue }
            guard hash.text?.hasSameBytes(asASCII: Self.redacted) != true else {
                redactedCount += 1
                continue
            }
            var found = JSONObject()
            for member in UserMember.password { found[member.rawValue] = user[member.rawValue] }
            members[id] = found
        }
    }

    /// The members of a user's password; `nil` if there is none.
    package subscript(_ id: AccountID) -> JSONObject? { members[id] }
}
