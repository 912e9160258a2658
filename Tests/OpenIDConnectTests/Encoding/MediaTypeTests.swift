// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
        (" \tapplication/jwt ;x", "application/jwt"), ("text/html charset", "text/html"), ("", ""), (";", ""),
        ("application/jso\u{6E}\u{0303}", ""),
    ])
    func `the type is read without its parameters`(field: String, type: String) {
        #expect(MediaType.essence(of: field) == type)
    }

    @Test func `a field of 256 bytes is read, one more is not`() {
        let field = "application/json;" + String(repeating: "a", count: 239)
        #expect(MediaType.essence(of: field) == "application/json")
        #expect(MediaType.essence(of: field + "a").isEmpty)
        #expect(MediaType.essence(of: nil).isEmpty)
    }
}
