// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct CodeVerifierTests {
    /// RFC 7636 appendix B.
    private static let octets: [UInt8] = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
        91, 88, 5, 88, 83, 132, 141, 121,
    ]

    @Test func `RFC 7636 appendix B`() throws {
        let verifier = CodeVerifier(bytes: Self.octets)
        #expect(verifier.value == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(verifier.challengeBytes.count == 32)
        #expect(verifier.challengeBytes.starts(with: [19, 211, 30, 150, 26, 26, 216, 236]))
        #expect(try #require(CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")) == verifier)
    }

    @Test func `43 to 128 unreserved characters are a verifier`() {
        #expect(CodeVerifier(String(repeating: "a", count: 42)) == nil)
        #expect(CodeVerifier(String(repeating: "a", count: 43)) != nil)
        #expect(CodeVerifier(String(repeating: "a", count: 128)) != nil)
        #expect(CodeVerifier(String(repeating: "a", count: 129)) == nil)
        #expect(CodeVerifier("azAZ09-._~" + String(repeating: "a", count: 33)) != nil)
        #expect(CodeVerifier("") == nil)
    }

    @Test(arguments: ["+", "/", "=", " ", "%", "\u{E4}", "\0", "\n", "@", "[", "`", "{", ":"])
    func `any other character is refused`(character: String) {
        #expect(CodeVerifier(String(repeating: "a", count: 50) + character) == nil)
    }
}
