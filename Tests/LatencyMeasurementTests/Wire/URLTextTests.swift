// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct URLTextTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080/cb?x=1#y", "/cb?x=1"), ("https://a.example", "/"), ("https://a.example?x", "/?x"),
        ("/me", "/me"), ("", "/"), ("https://a.example/", "/"),
    ])
    func `what stands in a request line`(url: String, target: String) {
        #expect(URLText.requestTarget(of: url) == target)
    }

    @Test func `everything but unreserved characters is escaped`() {
        #expect(URLText.percentEncoded("aZ09-._~ /+&=%é") == "aZ09-._~%20%2F%2B%26%3D%25%C3%A9")
    }
}
