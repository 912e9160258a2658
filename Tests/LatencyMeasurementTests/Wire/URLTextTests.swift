// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct URLTextTests {
    @Test func `parameters of query and fragment, decoded, the first of several`() {
        let parameters = URLText.parameters(
            of: "https://a.example/x?state=a%2Bb+c&n=1&state=z&empty=#code=q%3D&bad=%zz")
        #expect(parameters["state"] == "a+b c")
        #expect(parameters["n"] == "1")
        #expect(parameters["empty"] == "")
        #expect(parameters["code"] == "q=")
        #expect(parameters["bad"] == nil)
        #expect(URLText.parameters(of: "https://a.example/x").isEmpty)
    }

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

    @Test func `what is escaped comes back`() {
        let text = "a b&c=d+e%f/g?h#i"
        #expect(URLText.parameters(of: "?x=" + URLText.percentEncoded(text))["x"] == text)
    }
}
