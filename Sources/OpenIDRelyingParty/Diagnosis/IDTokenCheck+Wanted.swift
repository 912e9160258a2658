// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension IDTokenCheck {
    /// What this check looks at and wants, for one that a token meets: a finding says it only of one that it does not.
    ///
    /// - Returns: `nil` for a check that is not known here.
    func met(by token: VerifiedPayload, _ expectation: IDTokenExpectation) -> (wanted: String, found: String)? {
        let (now, skew) = (expectation.now, expectation.clockSkew)
        func claim(_ name: String) -> String { IDTokenFinding.describe(token.claims[name]) }
        func hash(_ name: String, of what: String) -> (wanted: String, found: String) {
            ("nothing, or the hash of the \(what)", (token.claims[name] ?? .null) == .null ? "nothing" : "the same")
        }
        switch name {
        case Self.tokenKind.name:
            return ("typ JWT or none, and no 'events'", IDTokenFinding.describe(token.type.map { JSONValue.text($0) }))
        case Self.issuer.name:
            return (expectation.issuerRule?.description ?? "'\(expectation.issuer)'", claim("iss"))
        case Self.audience.name:
            let others = expectation.trustedAudiences.isEmpty ? "alone" : "and only trusted audiences beside it"
            return ("'\(expectation.clientID)' \(others)", claim("aud"))
        case Self.authorizedParty.name:
            return ("nothing, or '\(expectation.clientID)'", claim("azp"))
        case Self.subject.name:
            return ("1 to 255 ASCII characters that are not the client id", claim("sub"))
        case Self.subjectContinuity.name:
            return ("the same subject as before", claim("sub"))
        case Self.expiry.name:
            return ("a time after \(now - skew)", claim("exp"))
        case Self.issuedAt.name:
            return ("a time from \(now - skew - expectation.maximumIssuedAge) to \(now + skew)", claim("iat"))
        case Self.notBefore.name:
            return ("nothing, or a time up to \(now + skew)", claim("nbf"))
        case Self.nonce.name:
            return ("the nonce that was sent", token.claims["nonce"] == nil ? "nothing" : "the same")
        case Self.authenticationTime.name:
            let wanted = expectation.maximumAge.map { "a time from \(now &- skew &- $0) to \(now + skew)" }
            return (wanted ?? "anything", claim("auth_time"))
        case Self.authenticationContext.name:
            let names = expectation.acceptedACRs.map { "'\($0)'" }.joined(separator: " or ")
            return (names.isEmpty ? "anything" : names, claim("acr"))
        case Self.accessTokenHash.name where expectation.ignoresAccessTokenHash:
            let isAbsent = (token.claims["at_hash"] ?? .null) == .null
            return ("anything, without an access token beside it", isAbsent ? "nothing" : "not compared")
        case Self.accessTokenHash.name: return hash("at_hash", of: "access token")
        case Self.codeHash.name: return hash("c_hash", of: "code")
        case Self.stateHash.name: return hash("s_hash", of: "state")
        default: return nil
        }
    }
}
