// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import SignInWithApple
import Testing
import TestingSupport

@Suite struct AppleNonceCheckTests {
    /// What the token says, what is expected, and whether that is accepted.
    struct Row: Sendable {
        let nonce: JSONValue?
        let isSupported: JSONValue?
        let expected: String?
        let isAccepted: Bool
    }

    static let rows = [
        Row(nonce: "sent", isSupported: true, expected: "sent", isAccepted: true),
        Row(nonce: "sent", isSupported: nil, expected: "sent", isAccepted: true),
        Row(nonce: "sent", isSupported: false, expected: "sent", isAccepted: true),
        // The one exception, in both spellings.
        Row(nonce: nil, isSupported: false, expected: "sent", isAccepted: true),
        Row(nonce: nil, isSupported: "false", expected: "sent", isAccepted: true),
        Row(nonce: nil, isSupported: true, expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: "true", expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: nil, expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: 0, expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: .null, expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: "FALSE", expected: "sent", isAccepted: false),
        Row(nonce: nil, isSupported: [], expected: "sent", isAccepted: false),
        // A nonce that is there is validated, whatever stands beside it.
        Row(nonce: "other", isSupported: false, expected: "sent", isAccepted: false),
        Row(nonce: "", isSupported: false, expected: "sent", isAccepted: false),
        Row(nonce: .null, isSupported: false, expected: "sent", isAccepted: false),
        Row(nonce: ["sent"], isSupported: false, expected: "sent", isAccepted: false),
        Row(nonce: "other", isSupported: true, expected: "sent", isAccepted: false),
        // None was sent.
        Row(nonce: "sent", isSupported: true, expected: nil, isAccepted: false),
        Row(nonce: "sent", isSupported: false, expected: nil, isAccepted: false),
        Row(nonce: nil, isSupported: true, expected: nil, isAccepted: true),
    ]

    private func finding(_ row: Row, mayExcuse: Bool) throws -> IDTokenFinding? {
        var claims: JSONObject = ["sub": "person"]
        claims["nonce"] = row.nonce
        claims["nonce_supported"] = row.isSupported
        var expectation = IDTokenExpectation(
            issuer: AppleIssuer.issuer, clientID: Apple.servicesID, nonce: row.expected, now: Apple.now)
        expectation.mayExcuseMissingNonce = mayExcuse
        let check = try #require(IDTokenPolicy.apple.checks.first { $0.name == IDTokenCheck.nonce.name })
        return check.validate(try verified(claims), expectation)
    }

    @Test(.attack(.missingAppleNonce), arguments: rows)
    func `a token without a nonce passes only where it says that there can be none`(row: Row) throws {
        let finding = try self.finding(row, mayExcuse: true)
        #expect((finding == nil) == row.isAccepted)
        if let finding { #expect(finding.check == "nonce") }
    }

    @Test(.attack(.missingAppleNonce), arguments: rows)
    func `what may not be excused is not, whatever the token says`(row: Row) throws {
        let strict = try finding(row, mayExcuse: false)
        // Nothing passes that does not pass otherwise.
        if !row.isAccepted { #expect(strict != nil) }
        if row.nonce == nil, row.expected != nil { #expect(strict?.check == "nonce") }
    }

    @Test(.attack(.missingAppleNonce)) func `the exception is Apple's alone`() throws {
        let token = try verified(["sub": "person", "nonce_supported": false])
        var expectation = IDTokenExpectation(
            issuer: "https://issuer.example", clientID: "client", nonce: "sent", now: Apple.now)
        expectation.mayExcuseMissingNonce = true
        #expect(IDTokenCheck.nonce.validate(token, expectation) != nil)
    }
}
