// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
package import OpenIDRelyingParty

extension HandOffRecord {
    /// Omits members of `upstream`, the longest first, until the record can be stored. The app is told which ones.
    /// - Returns: The names of the members, for the log; empty if the record could be stored as it was.
    package mutating func omitUpstream(of signIn: VerifiedSignIn, providerID: String) -> [String] {
        guard upstream != nil, !isStorable else { return [] }
        var omitted: [String] = []
        for name in HandedClaims.omissible(of: signIn) {
            omitted.append(name)
            upstream = HandedClaims.upstream(signIn, providerID: providerID, without: omitted)
            if isStorable { break }
        }
        return omitted
    }
}

extension HandedClaims {
    /// The members of `upstream` that may be omitted, the longest first. Of two of the same length, the one that an app
    /// needs less is first.
    static func omissible(of signIn: VerifiedSignIn) -> [String] {
        let lengths = [
            signIn.idToken.exposed.utf8.count, signIn.accessToken?.exposed.utf8.count ?? 0,
            signIn.refreshToken?.exposed.utf8.count ?? 0, JSONObjectText(signIn.claims.object).bytes.count,
        ]
        return zip(omissible, lengths).enumerated().filter { $0.element.1 > 0 }.sorted { left, right in
            left.element.1 == right.element.1 ? left.offset < right.offset : left.element.1 > right.element.1
        }.map(\.element.0)
    }
}
