// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct TokenResponseFuzzTests {
    private static let corpus = [
        #"{"access_token":"s3cret","token_type":"Bearer","expires_in":3600,"id_token":"s3cret"}"#,
        #"{"access_token":"s3cret","token_type":"bearer","refresh_token":"s3cret","scope":"openid email","#
            + #""expires_in":"60","id_token":"s3cret.s3cret.s3cret"}"#,
        #"{"error":"invalid_grant","error_description":"no"}"#,
    ]

    private static let dictionary = [
        "null", "true", "-1", "1e300", "9007199254740993", "99999999999999999999", #""DPoP""#, #"\u0000"#, #"\n"#,
        #"\ud800"#,
        "\u{E4}", #""id_token":null,"#, #""error":1,"#, #""token_type":"Bearer","#, "[[[[", "{}",
    ]

    private static func violation(tokens: [String?], expiresIn: Int64?, status: Int) -> String? {
        guard status == 200 else { return "accepted with status \(status)" }
        for token in tokens {
            guard let token else { continue }
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                return "a token that is not printable"
            }
        }
        guard (0...(1 << 40)).contains(expiresIn ?? 0) else { return "a lifetime out of range" }
        return nil
    }

    private static func verdict(of error: TokenResponseError) -> ParserDriver.Verdict {
        // An OAuth error's code is the provider's own text, made printable.
        if let refusal = error.providerError {
            let shown = refusal.code + (refusal.errorDescription ?? "")
            return shown.utf8.allSatisfy { (0x20...0x7E).contains($0) } && refusal.code.utf8.count <= 64
                ? .refused : .violation("an error that is not printable")
        }
        return error.description.contains("s3cret") ? .violation("an error with a token") : .refused
    }

    @Test func `what is accepted is a response to a code`() throws {
        var status = 0
        let driver = ParserDriver(
            name: "token", corpus: Self.corpus, dictionary: Self.dictionary, separators: ",", seed: 21)
        try driver.run { input in
            status += 1
            let code = [200, 200, 200, 400, 500][status % 5]
            do throws(TokenResponseError) {
                let response = try TokenResponse(status: code, json: input)
                return ParserDriver.Verdict(
                    Self.violation(
                        tokens: [response.idToken, response.accessToken, response.refreshToken],
                        expiresIn: response.expiresIn, status: code))
            } catch {
                return Self.verdict(of: error)
            }
        }
    }

    @Test func `what is accepted is a response to a refresh token`() throws {
        let driver = ParserDriver(
            name: "token", corpus: Self.corpus, dictionary: Self.dictionary, separators: ",", seed: 22)
        try driver.run { input in
            do throws(TokenResponseError) {
                let response = try RefreshResponse(status: 200, json: input)
                return ParserDriver.Verdict(
                    Self.violation(
                        tokens: [response.idToken, response.accessToken, response.refreshToken],
                        expiresIn: response.expiresIn, status: 200))
            } catch {
                return Self.verdict(of: error)
            }
        }
    }
}
