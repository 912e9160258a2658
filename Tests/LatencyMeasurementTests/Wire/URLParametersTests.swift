// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct URLParametersTests {
    @Test func `parameters of query and fragment, decoded, the first of several`() {
        let parameters = URLParameters(
            of: "https://a.example/x?state=a%2Bb+c&n=1&state=z&empty=#code=q%3D&bad=%zz&%6Fdd=1&none")
        #expect(parameters["state"] == "a+b c")
        #expect(parameters["n"] == "1")
        #expect(parameters["empty"] == "")
        #expect(parameters["code"] == "q=")
        #expect(parameters["bad"] == nil)
        #expect(parameters["odd"] == "1")
        #expect(parameters["none"] == nil)
    }

    @Test(arguments: ["https://a.example/x", "https://a.example/x?", "", "https://a.example/x?&=a&b"])
    func `there are none`(url: String) {
        #expect(URLParameters(of: url).isEmpty)
    }

    @Test func `a form has no question mark`() {
        let parameters = URLParameters(form: Array("code=c1&grant_type=authorization_code&q=a?b=c".utf8))
        #expect(parameters["code"] == "c1")
        #expect(parameters["grant_type"] == "authorization_code")
        #expect(parameters["q"] == "a?b=c")
    }

    @Test func `what is escaped comes back`() {
        let text = "a b&c=d+e%f/g?h#i"
        #expect(URLParameters(of: "?x=" + URLText.percentEncoded(text))["x"] == text)
    }
}
