// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct IDTokenFindingTests {
    private func finding(_ change: (inout TokenUnderTest) -> Void) throws -> IDTokenFinding {
        var token = TokenUnderTest()
        change(&token)
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.judge(payload, token.expectation)
        }
        return try #require(finding)
    }

    @Test func `says what was wanted and what was found`() throws {
        #expect(
            try finding { $0.claims["iss"] = "https://other.example" }.description
                == "issuer: wanted 'https://issuer.example', found 'https://other.example'")
        #expect(
            try finding { $0.claims["aud"] = ["client", "other"] }.description
                == "audience: wanted 'client' alone, found ['client', 'other']")
        #expect(try finding { $0.claims["exp"] = seconds(-360) }.found == "360 s past")
        #expect(try finding { $0.claims["exp"] = nil }.found == "nothing")
        #expect(try finding { $0.claims["exp"] = number("1e300") }.found == "a number out of range")
        #expect(try finding { $0.claims["iss"] = .null }.found == "null")
    }

    @Test func `P9 names the clock where the clock is it`() throws {
        #expect(try finding { $0.claims["iat"] = seconds(660) }.description.contains("clock skew"))
        #expect(try finding { $0.claims["nbf"] = seconds(660) }.description.contains("clock skew"))
    }

    @Test func `never shows a nonce, a hash or a subject`() throws {
        let secrets = [TokenUnderTest.nonce, "s3cret", TokenUnderTest.accessToken, "Pxa-1wifRlPl7yG_0oJNfw"]
        let findings = [
            try finding { $0.claims["nonce"] = "s3cret" }, try finding { $0.claims["nonce"] = ["s3cret"] },
            try finding { $0.expectation.nonce = nil }, try finding { $0.claims["at_hash"] = "s3cret" },
            try finding { $0.claims["at_hash"] = ["s3cret"] }, try finding { $0.expectation.accessToken = nil },
            try finding { $0.claims["sub"] = "s3cret\u{E4}" }, try finding { $0.claims["sub"] = ["s3cret"] },
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
