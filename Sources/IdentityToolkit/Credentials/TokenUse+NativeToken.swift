// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

extension TokenUse {
    private static let nativeTokenLabel = Array("identity-toolkit native token use v1".utf8)

    /// The use of a native ID token, whether the app presents the token itself or a pending credential that came from
    /// it.
    ///
    /// It is remembered until no credential can be left that came from the token: the last one was made when the token
    /// was accepted for the last time. If it was forgotten before, the token would sign in once, and its credential
    /// once more.
    /// - Parameters:
    ///   - idToken: The ID token. Only its signed part counts, since an ECDSA signature can be written in two ways.
    ///   - acceptedUntil: The time from which the token is refused for its age on every server, in seconds since 1970.
    static func nativeToken(_ idToken: String, acceptedUntil: Int64) -> TokenUse {
        let bytes = Array(idToken.utf8)
        let signedCount = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
        let signed: [UInt8] = nativeTokenLabel + bytes[..<signedCount]
        return TokenUse(
            hash: Hash.sha256(signed),
            expiry: acceptedUntil + PendingCredential.lifetime + PendingCredential.useReserve)
    }
}
