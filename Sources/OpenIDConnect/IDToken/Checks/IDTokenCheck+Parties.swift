// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What an ID token is, who issued it, for whom, and about whom.
extension IDTokenCheck {
    /// Checks that the token is an ID token and not another kind that is signed with the same keys (RFC 8725 section 3.11):
    /// its `typ`, if present, is `JWT`, and it has no claim of a logout token or a security event.
    package static let tokenKind = IDTokenCheck("token kind") { check, token, expectation in
        // A type that is too long or not ASCII is another one.
        if let type = token.type, !["jwt", "application/jwt"].contains(type.ascii(atMost: 32)?.lowercased()) {
            return check.finding(wanted: "typ JWT", found: .text(type))
        }
        guard token.claims["events"] == nil else { return check.finding(wanted: "no 'events'", found: "one") }
        return nil
    }

    /// Checks that `iss` is the issuer, byte for byte (Core section 3.1.3.7 rule 2), or, for a provider with several
    /// issuers, one that the expectation's rule accepts.
    package static let issuer = IDTokenCheck("issuer") { check, token, expectation in
        let issuer = token.claims["iss"]
        guard let rule = expectation.issuerRule else {
            guard issuer?.text?.hasSameBytes(as: expectation.issuer) == true else {
                return check.finding(wanted: "'\(expectation.issuer)'", found: issuer)
            }
            return nil
        }
        let tenant = token.claims["tid"]
        if let text = issuer?.text, rule.accepts(text, tenant: tenant?.text) { return nil }
        guard case .template = rule else { return check.finding(wanted: rule.description, found: issuer) }
        return check.finding(
            wanted: rule.description,
            found: IDTokenFinding.describe(issuer) + " of tenant " + IDTokenFinding.describe(tenant))
    }

    /// Checks that `aud` contains this client and otherwise only trusted audiences (Core section 3.1.3.7 rule 3). A token
    /// with several audiences must name the authorized party (rule 4), which ``authorizedParty`` compares.
    package static let audience = IDTokenCheck("audience") { check, token, expectation in
        let audience = token.claims["aud"]
        switch audience {
        case .text(let one) where one.hasSameBytes(as: expectation.clientID):
            return nil
        case .array(let several) where isAcceptable(several, expectation):
            guard several.count > 1, token.claims.present("azp") == nil else { return nil }
            return check.finding(wanted: "an 'azp', since there are \(several.count) audiences", found: "none")
        default:
            let beside = expectation.trustedAudiences.isEmpty ? "alone" : "and only trusted audiences beside it"
            return check.finding(wanted: "'\(expectation.clientID)' \(beside)", found: audience)
        }
    }

    /// Checks that `azp`, if present and not null or empty, is this client (Core section 3.1.3.7 rule 5).
    package static let authorizedParty = IDTokenCheck("authorized party") { check, token, expectation in
        guard let party = token.claims.present("azp") else { return nil }
        return party.text?.hasSameBytes(as: expectation.clientID) == true
            ? nil : check.finding(wanted: "'\(expectation.clientID)'", found: party)
    }

    /// Checks that `sub` is present, has 1 to 255 printable ASCII characters (Core section 2), and is not the client ID
    /// (RFC 9700 section 4.15).
    package static let subject = IDTokenCheck("subject") { check, token, expectation in
        let wanted = "1 to 255 ASCII characters that are not the client id"
        guard let subject = token.claims["sub"]?.text else {
            return check.finding(wanted: wanted, found: token.claims["sub"] == nil ? "nothing" : "not a string")
        }
        guard (1...255).contains(subject.utf8.count), subject.isPrintableASCII else {
            return check.finding(wanted: wanted, found: "\(subject.utf8.count) bytes")
        }
        guard !subject.hasSameBytes(as: expectation.clientID) else {
            return check.finding(wanted: wanted, found: "the client id")
        }
        return nil
    }

    /// Checks that `sub` is the expected subject: in the token endpoint, that of the front channel (Core section 3.3.3.6);
    /// in a refresh, that of the sign-in (Core section 12.2).
    package static let subjectContinuity = IDTokenCheck("subject continuity") { check, token, expectation in
        guard let subject = expectation.subject else { return nil }
        guard token.claims["sub"]?.text?.hasSameBytes(as: subject) == true else {
            return check.finding(wanted: "the same subject as before", found: "another")
        }
        return nil
    }

    /// Whether this client is among them, once, and each of the others is trusted.
    private static func isAcceptable(_ audiences: [JSONValue], _ expectation: IDTokenExpectation) -> Bool {
        var hasClient = false
        for audience in audiences {
            guard let name = audience.text else { return false }
            if !hasClient, name.hasSameBytes(as: expectation.clientID) {
                hasClient = true
            } else if !expectation.trustedAudiences.contains(where: { name.hasSameBytes(as: $0) }) {
                return false
            }
        }
        return hasClient
    }
}
