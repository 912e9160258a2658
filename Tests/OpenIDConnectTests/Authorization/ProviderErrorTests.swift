// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct ProviderErrorTests {
    @Test(arguments: [
        ("access_denied", "access_denied"), ("urn:x:a/b.c-d_9", "urn:x:a/b.c-d_9"),
        ("x auth.outcome=signed_in", "x?auth.outcome?signed_in"), (#"a"b\c,d;e+f"#, "a?b?c?d?e?f"),
        ("access\u{0}_denied", "access?_denied"), ("ä", "??"),
    ])
    func `a code keeps the characters that codes have`(sent: String, code: String) {
        let error = ProviderError(code: WireText(sent), description: nil)
        #expect(error.code == code)
        #expect("\(error)" == code)
    }

    @Test func `a description keeps the characters of RFC 6749`() {
        let error = ProviderError(code: "c", description: WireText(#"a "b" \c= d"# + "\r\n\u{7f}ä~"))
        #expect(error.errorDescription == "a b c= d~")
    }
}
