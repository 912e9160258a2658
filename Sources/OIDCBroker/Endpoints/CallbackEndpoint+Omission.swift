// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import OpenIDConnect
import OpenIDRelyingParty

/// A provider's tokens may be longer than a record: an app gets what fits, and is told what did not.
extension CallbackEndpoint {
    /// Leaves members out of `upstream`, the longest first, until the record fits.
    func leaveOut(_ signIn: VerifiedSignIn, of record: inout HandOffRecord, _ login: Login) {
        guard record.upstream != nil else { return }
        var omitted: [String] = []
        for name in HandedClaims.omissible(of: signIn) {
            omitted.append(name)
            record.upstream = HandedClaims.upstream(signIn, providerID: login.provider.id, without: omitted)
            if record.isStorable { break }
        }
        guard let repetition = services.repetition(of: .longUpstream) else { return }
        services.logger.info(
            "upstream members were left out: the record would be too long",
            metadata: repetition.merging([
                "auth.omitted": "\(omitted.joined(separator: " "))", "auth.provider": "\(login.provider.id)",
                "auth.app": "\(login.app.configuration.name)",
            ]) { own, _ in own })
    }
}

extension HandedClaims {
    /// The members of `upstream` that may be left out, the longest first; of two as long, the one that an app needs less.
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
