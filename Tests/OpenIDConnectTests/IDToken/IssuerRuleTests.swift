// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct IssuerRuleTests {
    @Test(
        .attack(.nearlyTheIssuer, .foreignTenant),
        arguments: [
            ("https://issuer.example", [], .exact("https://issuer.example")),
            ("https://accounts.google.com", [], .google),
            ("https://accounts.google.com/", [], .exact("https://accounts.google.com/")),
            ("accounts.google.com", [], .exact("accounts.google.com")),
            (
                "https://login.example/{tenantid}/v2.0", ["a"],
                .template("https://login.example/{tenantid}/v2.0", tenants: ["a"])
            ),
            (
                "https://login.example/{tenantid}/v2.0", [],
                .template("https://login.example/{tenantid}/v2.0", tenants: [])
            ),
            ("https://issuer.example", ["a"], .template("https://issuer.example", tenants: ["a"])),
            ("https://accounts.google.com", ["a"], .template("https://accounts.google.com", tenants: ["a"])),
        ] as [(String, [String], IssuerRule)])
    func `the rule goes with the issuer and the tenants`(
        issuer: String, tenants: [String], expected: IssuerRule
    ) {
        #expect(IssuerRule.rule(forIssuer: issuer, tenants: tenants) == expected)
    }

    @Test(.attack(.foreignTenant)) func `the placeholder is one text and nothing like it`() {
        #expect(IssuerRule.hasTenantPlaceholder("https://login.example/{tenantid}/v2.0"))
        #expect(IssuerRule.hasTenantPlaceholder("{tenantid}"))
        for text in ["", "{}", "{tenantid", "tenantid}", "{tenant}", "{TENANTID}", "{ tenantid }", "{{tenantid}}"] {
            #expect(!IssuerRule.hasTenantPlaceholder(text))
        }
    }

    @Test(.attack(.foreignTenant)) func `a tenant is put in once, and is not read as a template again`() {
        let rule = IssuerRule.template("https://login.example/{tenantid}/{tenantid}", tenants: ["a", "{tenantid}"])
        #expect(rule.accepts("https://login.example/a/{tenantid}", tenant: "a"))
        #expect(!rule.accepts("https://login.example/a/a", tenant: "a"))
        #expect(rule.accepts("https://login.example/{tenantid}/{tenantid}", tenant: "{tenantid}"))
    }

    @Test func `an exact issuer has no tenant`() {
        let rule = IssuerRule.exact("https://issuer.example")
        #expect(rule.accepts("https://issuer.example", tenant: nil))
        #expect(rule.accepts("https://issuer.example", tenant: "a"))
        #expect(!rule.accepts("https://issuer.example/", tenant: nil))
    }
}
