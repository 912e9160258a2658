// SPDX-License-Identifier: Apache-2.0

import JOSE

extension HandOffRecord {
    /// The `sub` of the person and the identifier of the account, for the audit, each `nil` if the claims have none. The
    /// claims are read anew.
    var person: (subject: String?, account: String?) {
        let claims = claims.object
        return (
            claims?["sub"]?.text?.visibleASCII(atMost: 64),
            claims?["account"]?.text?.visibleASCII(atMost: HandedClaims.maximumLength)
        )
    }
}
