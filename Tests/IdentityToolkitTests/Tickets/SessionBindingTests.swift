// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import IdentityToolkit

/// What a ticket is bound to. The hashes were made by another implementation.
struct SessionBindingTests {
    private static let digest = HandlerQueries.iosDigest

    @Test func `64 lower-case hexadecimal digits are the hash of what will be sent`() {
        let binding = SessionBinding(startedWith: WireText(Self.digest))
        #expect(binding.matches(sessionID: "ABCDEFGHIJ"))
        #expect(binding == SessionBinding(sessionID: "ABCDEFGHIJ"))
        #expect(!binding.matches(sessionID: WireText(Self.digest)))
        #expect(!binding.matches(sessionID: "ABCDEFGHIK"))
        #expect(!binding.matches(sessionID: ""))
    }

    /// Texts that are not 64 lower-case hexadecimal digits, though nearly.
    private static let others: [String] = {
        let short = String(digest.dropLast())
        return [
            HandlerQueries.androidSession, "x", String(repeating: "\0", count: 512), digest.uppercased(), short,
            // 64 characters, and not as many bytes.
            "\(digest)0", "\(short)g", "\(short)\u{FFFD}",
        ]
    }()

    @Test(arguments: others) func `any other text is sent again as it is`(text: String) {
        let binding = SessionBinding(startedWith: WireText(text))
        #expect(binding.matches(sessionID: WireText(text)))
        #expect(!binding.matches(sessionID: WireText(text + "\0")))
        #expect(!binding.matches(sessionID: "ABCDEFGHIJ"))
    }

    @Test func `texts are told by their bytes`() {
        let binding = SessionBinding(startedWith: "\u{E9}")
        #expect(binding.matches(sessionID: "\u{E9}"))
        #expect(!binding.matches(sessionID: "e\u{301}"))
    }

    @Test func `a page sends the hash in base64url`() throws {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        // The pair of RFC 7636 appendix B.
        let binding = try #require(SessionBinding(challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(binding.matches(sessionID: WireText(verifier)))
        #expect(!binding.matches(sessionID: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        for challenge in [
            "", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN",
        ] {
            #expect(SessionBinding(challenge: WireText(challenge)) == nil, "\(challenge)")
        }
    }

    @Test func `it has 32 bytes`() {
        let bytes = Array(UInt8(0)..<32)
        #expect(SessionBinding(bytes: bytes)?.bytes == bytes)
        #expect(SessionBinding(bytes: bytes + [0]) == nil)
        #expect(SessionBinding(bytes: Array(bytes.dropLast())) == nil)
    }
}
