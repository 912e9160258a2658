// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OpenIDConnect
package import SignInWithApple

extension HandedClaims {
    /// Adds the claims that only Apple has, in one form whatever form Apple used.
    ///
    /// `is_private_email` is true if Apple says so or the address is one of its relay addresses, to which only senders
    /// registered with Apple can send mail.
    package static func addApple(_ apple: AppleClaims, to claims: inout JSONObject) {
        if claims["email"] != nil {
            claims["is_private_email"] = .bool(apple.isPrivateEmail == true || apple.isPrivateRelayAddress)
        }
        if let status = apple.realUserStatus {
            claims["real_user_status"] = .number(JSONNumber(Int64(status.rawValue)))
        }
        if let subject = apple.transferSubject { claims["transfer_sub"] = .string(subject) }
    }
}
