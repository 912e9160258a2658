// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

extension VerifiedSignIn {
    /// The time at which the ID token was issued, in seconds since 1970; each verified token says it.
    ///
    /// It is the time of authentication, and not that of the verification: a token from before the sessions of an
    /// account were ended must not sign in to the account.
    var issuedAt: Int64 { claims.object["iat"]?.secondsValue ?? 0 }
}
