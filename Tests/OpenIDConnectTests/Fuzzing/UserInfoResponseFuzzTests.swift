// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct UserInfoResponseFuzzTests {
    private static let dictionary = [
        ".", "..", "=", "null", "1e300", #"\u0000"#, #"\ud800"#, "\u{E4}", "\n", "[[[[[[[[", "{}", #""sub":"other","#,
        "eyJhbGciOiJub25lIn0", "eyJhbGciOiJSUzI1NiIsImNyaXQiOltdfQ",
    ]

    private static func verdict(_ contentType: String, _ input: [UInt8]) -> ParserDriver.Verdict {
        do throws(UserInfoResponseError) {
            switch try UserInfoResponse(contentType: contentType, body: input).form {
            case .plain(let claims):
                guard contentType.contains("json") else { return .violation("claims that are not JSON") }
                let limits = JSONLimits(maximumBytes: 1_048_576)
                let again = try? JSONParser.object(claims.serialized(), limits: limits)
                return again == claims ? .accepted : .violation("read otherwise when written again")
            case .encrypted(let token):
                guard contentType.contains("jwt") else { return .violation("a token that is none") }
                return JSONWebSignature.isFiveSegments(token) ? .accepted : .violation("a token of other segments")
            case .signed:
                guard contentType.contains("jwt") else { return .violation("a token that is none") }
                let isCompact = input.allSatisfy {
                    switch $0 {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                    default: false
                    }
                }
                guard isCompact, input.filter({ $0 == UInt8(ascii: ".") }).count == 2 else {
                    return .violation("a token that is not compact")
                }
                return .accepted
            }
        } catch {
            return error.description.contains("s3cret") ? .violation("an error with a claim") : .refused
        }
    }

    @Test func `plain claims are one JSON object`() throws {
        let corpus = [
            #"{"sub":"s3cret","email":"s3cret@example.com","email_verified":true,"updated_at":1800000000}"#,
            #"{"sub":"s3cret","address":{"locality":"s3cret","x":[1,2.5e3,null,[]]},"name":"\u00e4\ud83d\ude00"}"#,
        ]
        let driver = ParserDriver(
            name: "userinfo", corpus: corpus, dictionary: Self.dictionary, separators: ",", seed: 51)
        try driver.run { Self.verdict("application/json", $0) }
    }

    @Test func `a signed response is a compact token`() throws {
        // {"alg":"ES256"}, {"alg":"RS256","kid":"1","typ":"JWT"} and {"sub":"s3cret"}; the signatures are made up.
        let corpus = [
            "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzM2NyZXQifQ.c2lnbmF0dXJl",
            "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJzM2NyZXQifQ.AAECAwQFBgc",
        ]
        let driver = ParserDriver(name: "jwt", corpus: corpus, dictionary: Self.dictionary, separators: ".", seed: 52)
        try driver.run { Self.verdict("application/jwt", $0) }
    }
}
