// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import SignInWithApple

extension HandedClaims {
    /// Adds what only Apple says of a person, in one form whatever form Apple chose.
    ///
    /// `is_private_email` is true where Apple says so and where the address is one of its relay addresses: mail to it
    /// arrives only from senders that are registered with Apple.
    static func addApple(_ apple: AppleClaims, to claims: inout JSONObject) {
        if apple.email != nil {
            claims["is_private_email"] = .bool(apple.isPrivateEmail == true || apple.isPrivateRelayAddress)
        }
        if let status = apple.realUserStatus {
            claims["real_user_status"] = .number(JSONNumber(Int64(status.rawValue)))
        }
        if let subject = apple.transferSubject { claims["transfer_sub"] = .string(subject) }
    }
}
