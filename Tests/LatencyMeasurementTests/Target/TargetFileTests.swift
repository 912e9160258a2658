// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TargetFileTests {
    static let minimal = """
        {"name": "x", "base": "${SCHEME}://127.0.0.1:8080", "authorize_prefix": "${ISSUER}/authorize?",
         "start": {"path": "/start"}, "callback": {"code_parameter": "code"}}
        """

    private static func file(_ text: String) throws -> TargetFile { try TargetFile(json: Array(text.utf8)) }

    @Test func `what is left out has its default`() throws {
        let file = try Self.file(Self.minimal)
        #expect(file.name == "x")
        #expect(file.isValidating)
        #expect(file.supports(algorithm: "RS256"))
        #expect(file.supports(algorithm: "ES256"))
        #expect(file.launch == nil)
        #expect(file.takes(.signIn))
        let limited = try Self.file(
            Self.minimal.replacing("\"name\": \"x\"", with: "\"name\": \"x\", \"loads\": [\"browser\"]"))
        #expect(limited.takes(.browser))
        #expect(!limited.takes(.signIn))
    }

    @Test(arguments: [
        ("\"name\": \"x\"", "\"nmae\": \"x\"", "name is missing"),
        ("\"path\": \"/start\"", "\"paht\": \"/start\"", "a target file has no member 'start.paht'"),
        ("\"code_parameter\"", "\"code_param\"", "a target file has no member 'callback.code_param'"),
        ("\"name\": \"x\"", "\"name\": \"x\", \"lauch\": []", "a target file has no member 'lauch'"),
        ("\"name\": \"x\"", "\"name\": \"x\", \"tls\": {\"env\": {}}", "a target file has no member 'tls.env'"),
        (
            "\"name\": \"x\"", "\"name\": \"x\", \"accounts\": {\"env\": {}}",
            "a target file has no member 'accounts.env'"
        ),
        ("\"path\": \"/start\"", "\"method\": \"GET\"", "start has no path"),
        ("{\"code_parameter\"", "{\"path\": \"/cb\", \"code_parameter\"", "callback has a path"),
        ("\"name\": \"x\"", "\"name\": \"x\", \"algorithms\": [\"HS256\"]", "algorithms are RS256 and ES256"),
        ("\"name\": \"x\"", "\"name\": \"x\", \"loads\": [\"sign-ins\"]", "loads has 'sign-ins'"),
        ("\"name\": \"x\"", "\"name\": 7", "name: "),
    ])
    func `errors are named`(original: String, replacement: String, complaint: String) throws {
        #expect(Self.minimal.contains(original))
        let text = Self.minimal.replacing(original, with: replacement)
        let error = #expect(throws: TargetFileError.self) { try Self.file(text) }
        #expect(error?.description.contains(complaint) == true)
    }

    @Test func `a text that is not JSON is not a target file`() {
        #expect(throws: TargetFileError.self) { try Self.file("{") }
        #expect(throws: TargetFileError.self) { try Self.file("[]") }
    }
}
