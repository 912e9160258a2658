// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct IDTokenFindingTests {
    private func finding(_ change: (inout TokenUnderTest) -> Void) throws -> IDTokenFinding {
        var token = TokenUnderTest()
        change(&token)
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.validate(payload, token.expectation)
        }
        return try #require(finding)
    }

    @Test func `says what was wanted and what was found`() throws {
        #expect(
            try finding { $0.claims["iss"] = "https://other.example" }.description
                == "issuer: expected 'https://issuer.example', found 'https://other.example'")
        #expect(
            try finding { $0.claims["aud"] = ["client", "other"] }.description
                == "audience: expected 'client' alone, found ['client', 'other']")
        #expect(try finding { $0.claims["exp"] = seconds(-360) }.found == "360 s past")
        #expect(try finding { $0.claims["exp"] = nil }.found == "nothing")
        #expect(try finding { $0.claims["exp"] = number("1e300") }.found == "a number out of range")
        #expect(try finding { $0.claims["iss"] = .null }.found == "null")
    }

    @Test func `says what was wanted of an issuer with a rule`() throws {
        let spelling = try finding {
            $0.expectation.issuerRule = .google
            $0.claims["iss"] = "https://accounts.google.com/"
        }
        #expect(spelling.wanted == "'https://accounts.google.com' or 'accounts.google.com'")
        #expect(spelling.found == "'https://accounts.google.com/'")
        let tenant = try finding {
            $0.expectation.issuerRule = .rule(forIssuer: "https://login.example/{tenantid}/v2.0", tenants: ["a", "b"])
            $0.claims["iss"] = "https://login.example/c/v2.0"
            $0.claims["tid"] = "c"
        }
        #expect(tenant.wanted == "'https://login.example/{tenantid}/v2.0' of one of 2 tenants")
        #expect(tenant.found == "'https://login.example/c/v2.0' of tenant 'c'")
    }

    @Test func `says what was wanted of audience and authentication context`() throws {
        let third = try finding {
            $0.expectation.trustedAudiences = ["other"]
            $0.claims["aud"] = ["client", "third"]
        }
        #expect(
            third.description
                == "audience: expected 'client' and only trusted audiences beside it, found ['client', 'third']")
        let party = try finding {
            $0.expectation.trustedAudiences = ["other"]
            $0.claims["aud"] = ["client", "other"]
        }
        #expect(party.description == "audience: expected an 'azp', since there are 2 audiences, found none")
        let context = try finding {
            $0.expectation.acceptedACRs = ["strong", "stronger"]
            $0.claims["acr"] = "weak"
        }
        #expect(context.description == "authentication context: expected 'strong' or 'stronger', found 'weak'")
    }

    @Test func `says what was wanted of a hash`() throws {
        let code = try finding { $0.expectation.requiresCodeHash = true }
        #expect(code.description == "code hash: expected the hash of the code, found nothing")
        let state = try finding { $0.claims["s_hash"] = .string(HashClaim.ofAnother) }
        #expect(state.description == "state hash: expected the hash of the state, found another")
    }

    @Test(.attack(.providerClockSkew)) func `names the clock where the clock is it`() throws {
        #expect(try finding { $0.claims["iat"] = seconds(660) }.description.contains("clock skew"))
        #expect(try finding { $0.claims["nbf"] = seconds(660) }.description.contains("clock skew"))
        #expect(try finding { $0.claims["exp"] = seconds(-660) }.description.contains("clock skew"))
    }

    @Test func `never shows a nonce, a hash or a subject`() throws {
        let secrets =
            [TokenUnderTest.nonce, "s3cret", "person"] + HashClaim.all.flatMap { [$0.text, $0.sha256] }
        let findings = [
            try finding { $0.claims["nonce"] = "s3cret" }, try finding { $0.claims["nonce"] = ["s3cret"] },
            try finding { $0.expectation.nonce = nil }, try finding { $0.claims["at_hash"] = "s3cret" },
            try finding { $0.claims["at_hash"] = ["s3cret"] }, try finding { $0.expectation.accessToken = nil },
            try finding { $0.claims["sub"] = "s3cret\u{E4}" }, try finding { $0.claims["sub"] = ["s3cret"] },
            try finding { $0.expectation.subject = "s3cret" }, try finding { $0.claims["c_hash"] = "s3cret" },
            try finding { $0.claims["s_hash"] = "s3cret" }, try finding { $0.claims["s_hash"] = ["s3cret"] },
        ]
        for shown in findings {
            for secret in secrets { #expect(!shown.description.contains(secret)) }
        }
    }

    @Test func `what comes from outside is cut, and printable`() throws {
        let cut = try finding {
            $0.claims["iss"] = .string("\r\n\u{1B}[31m\u{E4}" + String(repeating: "x", count: 5000))
        }
        #expect(cut.found.utf8.count == 256)
        #expect(cut.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
}
