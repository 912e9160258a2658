// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The ordered list of checks for an ID token (OpenID Connect Core 1.0 sections 3.1.3.7, 3.2.2.11 and 3.3.2.12).
/// Validation ends at the first finding.
package struct IDTokenPolicy: Sendable, Hashable {
    /// The checks, in the order in which they are made.
    package let checks: [IDTokenCheck]

    /// Creates a policy from its checks, in the order in which they are made.
    package init(checks: [IDTokenCheck]) {
        self.checks = checks
    }

    /// All checks, for ID tokens of the front channel and of the token endpoint. Their differences are in
    /// ``IDTokenExpectation``.
    package static let standard = IDTokenPolicy(checks: [
        .tokenKind, .issuer, .audience, .authorizedParty, .subject, .subjectContinuity, .expiry, .issuedAt, .notBefore,
        .nonce, .authenticationTime, .authenticationContext, .accessTokenHash, .codeHash, .stateHash,
    ])

    /// The checks for an ID token that came with a refresh (Core section 12.2). Such a token may contain the nonce of
    /// the original sign-in, which is no longer known, or none. Subject and issuer identify the user.
    package var forRefresh: IDTokenPolicy { without(IDTokenCheck.nonce.name) }

    /// Returns the list without one check, for a value that cannot be known, and for tests that take a check out.
    package func without(_ name: String) -> IDTokenPolicy {
        IDTokenPolicy(checks: checks.filter { $0.name != name })
    }

    /// Validates a token whose signature has been verified.
    /// - Throws: The first finding.
    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) throws(IDTokenFinding) {
        for check in checks {
            if let finding = check.validate(token, expectation) { throw finding }
        }
    }
}
