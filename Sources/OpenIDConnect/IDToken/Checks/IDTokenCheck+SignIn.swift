// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What ties an ID token to the sign-in that it was issued for.
extension IDTokenCheck {
    /// Checks that `nonce` is the one that was sent, in constant time (Core section 3.1.3.7 rule 11).
    package static let nonce = IDTokenCheck("nonce") { check, token, expectation in
        let value = token.claims["nonce"]
        guard let expected = expectation.nonce else {
            return value == nil ? nil : check.finding(wanted: "none, since none was sent", found: "one")
        }
        guard let nonce = value?.text else {
            return check.finding(wanted: "the nonce that was sent", found: value == nil ? "nothing" : "not a string")
        }
        return ConstantTime.equal(nonce.utf8, expected.utf8)
            ? nil : check.finding(wanted: "the nonce that was sent", found: "another")
    }

    /// Checks that `acr` is one of the required authentication contexts, if any are required (Core section 3.1.3.7 rule
    /// 12).
    package static let authenticationContext = IDTokenCheck("authentication context") { check, token, expectation in
        guard !expectation.acceptedACRs.isEmpty else { return nil }
        let value = token.claims["acr"]
        if let context = value?.text, expectation.acceptedACRs.contains(where: { context.hasSameBytes(as: $0) }) {
            return nil
        }
        let wanted = expectation.acceptedACRs.map { "'\($0)'" }.joined(separator: " or ")
        return check.finding(wanted: wanted, found: value)
    }

    /// Checks that `at_hash`, if present, is the left half of the access token's hash (Core sections 3.1.3.6 and 3.2.2.9).
    /// The hash is that of the token's signature algorithm, and the comparison takes constant time. An absent `at_hash` is
    /// a finding only if the expectation requires it.
    package static let accessTokenHash = IDTokenCheck("access token hash") { check, token, expectation in
        guard !expectation.ignoresAccessTokenHash else { return nil }
        return check.findingOfHash(
            "at_hash", in: token, of: expectation.accessToken, named: "access token",
            isRequired: expectation.requiresAccessTokenHash)
    }

    /// Checks that `c_hash`, if present, is the left half of the code's hash under the token's signature algorithm (Core
    /// section 3.3.2.10). The comparison takes constant time. In the front channel `c_hash` is required (Core section
    /// 3.3.2.11).
    package static let codeHash = IDTokenCheck("code hash") { check, token, expectation in
        check.findingOfHash(
            "c_hash", in: token, of: expectation.code, named: "code", isRequired: expectation.requiresCodeHash)
    }

    /// Checks that `s_hash`, if present, is the left half of the state's hash under the token's signature algorithm (FAPI
    /// 1.0 part 2 section 5.1). The comparison takes constant time.
    ///
    /// It applies only if the state is available. The state itself is sealed and is validated before any token.
    package static let stateHash = IDTokenCheck("state hash") { check, token, expectation in
        guard let state = expectation.state else { return nil }
        return check.findingOfHash("s_hash", in: token, of: state, named: "state", isRequired: false)
    }
}
