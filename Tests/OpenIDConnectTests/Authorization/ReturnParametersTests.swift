// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct ReturnParametersTests {
    private func read(_ text: String) throws -> ReturnParameters {
        try ReturnParameters(FormURLEncoding.parse(text.utf8))
    }

    @Test func `reads a code with its state and issuer`() throws {
        let parameters = try read("code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj&iss=https%3A%2F%2Fissuer.example")
        #expect(parameters.answer == .code("SplxlOBeZQQYbYS6WxSbIA"))
        #expect(parameters.state == "af0ifjsldkj")
        #expect(parameters.issuer == "https://issuer.example")
    }

    @Test func `parameters that nobody knows are ignored, doubled ones too`() throws {
        let parameters = try read("code=c&state=s&session_state=1&prompt=none&hd=a&hd=b&id_token=x&access_token=y")
        #expect(parameters.answer == .code("c"))
        #expect(parameters.issuer == nil)
    }

    @Test(arguments: ["code=c", "code=c&state=", "code=c&State=s", "error=access_denied", ""])
    func `S1 a return without a state is refused`(text: String) {
        #expect(throws: ReturnParametersError.missingState) { try read(text) }
    }

    @Test(arguments: [
        ("state", "state=a&state=b&code=c"), ("state", "state=a&state=a&code=c"), ("state", "state=a&state=&code=c"),
        ("code", "state=s&code=a&code=b"), ("code", "state=s&code=a&code=a"), ("code", "state=s&code=a&code="),
        ("iss", "state=s&code=c&iss=a&iss=b"), ("iss", "state=s&code=c&iss=a&iss=a"),
        ("id_token", "state=s&code=c&id_token=a&id_token=b"),
        ("access_token", "state=s&code=c&access_token=a&access_token=b"),
        ("error", "state=s&error=a&error=b"), ("error", "state=s&code=c&error=a&error=a"),
        ("error_description", "state=s&error=a&error_description=b&error_description=c"),
        ("code", "state=s&error=access_denied&code=a&code=b"),
    ])
    func `S1 S28 a doubled parameter is refused by its name`(name: String, text: String) {
        #expect(throws: ReturnParametersError.parameters(.doubled(name))) { try read(text) }
    }

    @Test func `S17 an error wins over a code beside it`() throws {
        let expected = ProviderError(code: "access_denied", description: nil)
        #expect(try read("state=s&code=c&error=access_denied").answer == .error(expected))
        #expect(try read("state=s&error=access_denied&code=c").answer == .error(expected))
        // Whatever the code would have been refused for.
        #expect(try read("state=s&error=access_denied&code=").answer == .error(expected))
    }

    @Test func `an empty error is none`() throws {
        #expect(try read("state=s&code=c&error=").answer == .code("c"))
        #expect(throws: ReturnParametersError.missingCode) { try read("state=s&error=") }
    }

    @Test func `neither code nor error is refused`() {
        #expect(throws: ReturnParametersError.missingCode) { try read("state=s") }
        #expect(throws: ReturnParametersError.missingCode) { try read("state=s&iss=i") }
    }

    @Test(arguments: ["", "%00", "a%00b", "a%0D", "a%0Ab", "a%C3%A4", "a%7F", "a%1F", "a%09"])
    func `S18 a code that is empty or has characters that no code has is refused`(code: String) {
        #expect(throws: ReturnParametersError.unacceptableCode) { try read("state=s&code=\(code)") }
    }

    @Test func `S18 a code has at most 4096 characters, all of them printable ASCII`() throws {
        let longest = String(repeating: "c", count: 4096)
        #expect(try read("state=s&code=\(longest)").answer == .code(longest))
        #expect(throws: ReturnParametersError.unacceptableCode) { try read("state=s&code=\(longest)c") }
        #expect(try read("state=s&code=%20%7E").answer == .code(" ~"))
        #expect(try read("state=s&code=4%2F0AX4+b").answer == .code("4/0AX4 b"))
    }

    @Test func `S16 an error is cut to what may be shown and logged`() throws {
        let long = String(repeating: "d", count: 600)
        let parameters = try read(
            "state=s&error=access%0D%0A_denied%C3%A4&error_description=%00a%0Ab%3Cscript%3E\(long)")
        guard case .error(let error) = parameters.answer else {
            Issue.record("not an error")
            return
        }
        #expect(error.code == "access_denied")
        #expect(error.errorDescription?.hasPrefix("ab<script>ddd") == true)
        #expect(error.errorDescription?.utf8.count == 512)
        #expect(ProviderError(code: String(repeating: "e", count: 65), description: nil).code.utf8.count == 64)
    }

    @Test func `no error of a return holds a value`() {
        for text in ["state=s3cret&code=", "state=s3cret&state=s3cret", "code=s3cret", "state=s3cret"] {
            let error = #expect(throws: ReturnParametersError.self) { try read(text) }
            #expect(error.map { !"\($0)".contains("s3cret") } == true)
        }
    }
}
