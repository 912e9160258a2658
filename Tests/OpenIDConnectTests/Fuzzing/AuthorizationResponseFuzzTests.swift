// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct AuthorizationResponseFuzzTests {
    private static let corpus = [
        "code=s3cret&state=s&iss=https%3A%2F%2Fissuer.example",
        "state=s&code=s3cret&id_token=s3cret.s3cret.s3cret&session_state=x",
        "state=s&id_token=s3cret.s3cret.s3cret",
        "state=s&error=access_denied&error_description=no+more&error_uri=https%3A%2F%2Fissuer.example",
        "response=e30.eyJzdGF0ZSI6InMiLCJjb2RlIjoiYyJ9.AAAA",
        "state=s&code=s3cret&access_token=s3cret&token_type=Bearer&expires_in=60&scope=openid&user=%7B%7D",
    ]

    private static let dictionary = [
        "&state=t", "&code=c", "&id_token=t", "&error=e", "&", "=", "%", "%00", "%0D%0A", "%C3%A4", "%C0%80", "+",
        "%2B", "%26", "state", ";",
    ]

    private static func violation(of read: AuthorizationResponse, _ parameters: Parameters) -> String? {
        guard !read.state.isEmpty else { return "an empty state" }
        if let jwt = read.jwt { return isIDToken(jwt) ? nil : "an unacceptable JWT" }
        for name in AuthorizationResponse.names where parameters.texts.filter({ $0.name == name }).count > 1 {
            return "\(name) twice"
        }
        for type in [ResponseType.code, .codeIDToken, .idToken] {
            guard let response = try? read.contents(for: type) else { continue }
            if let violation = violation(of: response, for: type, read) { return violation }
        }
        return nil
    }

    private static func violation(
        of response: AuthorizationResponse.Contents, for type: ResponseType, _ read: AuthorizationResponse
    ) -> String? {
        if read.error != nil {
            guard case .error = response else { return "an error that does not win" }
            return nil
        }
        switch response {
        case .code(let code) where type == .code:
            return isCode(code.value) ? nil : "an unacceptable code"
        case .codeAndIDToken(let code, let idToken) where type == .codeIDToken:
            return isCode(code.value) && isIDToken(idToken) ? nil : "an unacceptable code or ID token"
        case .idToken(let idToken) where type == .idToken:
            return isIDToken(idToken) ? nil : "an unacceptable ID token"
        default:
            return "a response to another type"
        }
    }

    private static func isCode(_ code: String) -> Bool {
        (1...4096).contains(code.utf8.count) && code.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func isIDToken(_ idToken: String) -> Bool {
        idToken.utf8.count <= 65_536 && ParserDriver.isPrintable(idToken)
    }

    @Test func `an accepted parameter occurs once, within its length`() throws {
        let driver = ParserDriver(
            name: "return", corpus: Self.corpus, dictionary: Self.dictionary, separators: "&", longest: 8192, seed: 31)
        try driver.run { input in
            do {
                let parameters = try FormURLEncoding.parse(input)
                let read = try AuthorizationResponse(parameters)
                return ParserDriver.Verdict(Self.violation(of: read, parameters))
            } catch {
                return "\(error)".contains("s3cret") ? .violation("an error with a value") : .refused
            }
        }
    }
}
