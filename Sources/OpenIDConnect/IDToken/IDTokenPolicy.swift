// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The ordered list of checks an ID token must pass (OpenID Connect Core 1.0 sections 3.1.3.7, 3.2.2.11 and 3.3.2.12).
/// The first finding ends it.
package struct IDTokenPolicy: Sendable, Hashable {
    package let checks: [IDTokenCheck]

    package init(checks: [IDTokenCheck]) {
        self.checks = checks
    }

    /// The whole list, for ID tokens of the front channel and of the token endpoint alike: in what they differ stands
    /// in ``IDTokenExpectation``.
    package static let standard = IDTokenPolicy(checks: [
        .tokenKind, .issuer, .audience, .authorizedParty, .subject, .subjectContinuity, .expiry, .issuedAt, .notBefore,
        .nonce, .authenticationTime, .authenticationContext, .accessTokenHash, .codeHash, .stateHash,
    ])

    /// The list for an ID token that came with a refresh (Core section 12.2). It may repeat the nonce of a sign-in that
    /// nobody remembers any more, or have none; subject and issuer tell whose it is.
    package var forRefresh: IDTokenPolicy { without(IDTokenCheck.nonce.name) }

    /// The list without one check: where what it compares with cannot be known, and to show that a test notices.
    package func without(_ name: String) -> IDTokenPolicy {
        IDTokenPolicy(checks: checks.filter { $0.name != name })
    }

    /// Validates a token whose signature is verified.
    /// - Throws: the first finding.
    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) throws(IDTokenFinding) {
        for check in checks {
            if let finding = check.validate(token, expectation) { throw finding }
        }
    }
}
