// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The subject identifier.
struct SubjectIdentifierTests {
    @Test func `is this, for ever`() {
        // printf 'oidc-broker sub v1\0\032https://login.acme.example\0\003ada' | openssl dgst -sha256 -binary | base64
        #expect(
            SubjectIdentifier.derive(issuer: "https://login.acme.example", subject: "ada")
                == "PnLVYMgSyCtm9_KFlwfdv3R9iPZnHgvyKjIkpLflkp8")
    }

    @Test func `does not join what is two`() {
        let subjects: Set<String> = [
            SubjectIdentifier.derive(issuer: "ab", subject: "c"), SubjectIdentifier.derive(issuer: "a", subject: "bc"),
            SubjectIdentifier.derive(issuer: "abc", subject: ""), SubjectIdentifier.derive(issuer: "", subject: "abc"),
            SubjectIdentifier.derive(issuer: "c", subject: "ab"),
        ]
        #expect(subjects.count == 5)
        #expect(subjects.allSatisfy { $0.utf8.count == 43 })
    }
}
