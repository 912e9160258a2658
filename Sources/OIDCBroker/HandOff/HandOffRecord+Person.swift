// SPDX-License-Identifier: Apache-2.0

import JOSE

extension HandOffRecord {
    /// The `sub` of the person, for the audit; `nil` if the claims have none. The claims are read anew.
    var subject: String? { claims.object?["sub"]?.text?.visibleASCII(atMost: 64) }

    /// The identifier of the account, for the audit; `nil` if there is none. The claims are read anew.
    var account: String? { claims.object?["account"]?.text?.visibleASCII(atMost: HandedClaims.maximumLength) }
}
