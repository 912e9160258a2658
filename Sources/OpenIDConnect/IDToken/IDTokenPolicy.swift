// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The ordered list of checks an ID token must pass (OpenID Connect Core 1.0 section 3.1.3.7). The first finding ends it.
package struct IDTokenPolicy: Sendable {
    package let checks: [any IDTokenCheck]

    package init(checks: [any IDTokenCheck]) {
        self.checks = checks
    }

    /// The whole list, for ID tokens from the token endpoint.
    package static let standard = IDTokenPolicy(checks: [
        TokenKindCheck(), IssuerCheck(), AudienceCheck(), AuthorizedPartyCheck(), SubjectCheck(), ExpiryCheck(),
        IssuedAtCheck(), NotBeforeCheck(), NonceCheck(), AuthenticationTimeCheck(), AccessTokenHashCheck(),
    ])

    /// The list without one check: only to show that a test notices.
    package func without(_ name: String) -> IDTokenPolicy {
        IDTokenPolicy(checks: checks.filter { type(of: $0).name != name })
    }

    /// Judges a token whose signature is verified.
    /// - Throws: the first finding.
    package func judge(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) throws(IDTokenFinding) {
        for check in checks {
            if let finding = check.judge(token, expectation) { throw finding }
        }
    }
}
