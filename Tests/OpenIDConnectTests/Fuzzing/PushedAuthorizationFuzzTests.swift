// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct PushedAuthorizationFuzzTests {
    private static let corpus = [
        #"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11A","expires_in":60}"#,
        #"{"expires_in":3600,"request_uri":"urn:example:bwc4JK-ESC0w8acc191e-Y1LTC2","other":[1,{"x":null}]}"#,
        #"{"error":"invalid_request","error_description":"no"}"#,
    ]

    private static let dictionary = [
        "null", "0", "-1", "1e300", "9007199254740993", "0.5", #"\u0000"#, #"\n"#, #"\ud800"#, "\u{E4}", " ", "[[[[",
        "{}",
        #""expires_in":60,"#, #""request_uri":"urn:a","#, #""error":"a","#,
    ]

    @Test func `what is accepted is a reference that a URL can carry`() throws {
        var count = 0
        let driver = ParserDriver(
            name: "par", corpus: Self.corpus, dictionary: Self.dictionary, separators: ",", seed: 61)
        try driver.run { input in
            count += 1
            let status = [201, 201, 201, 200, 400][count % 5]
            do throws(PushedAuthorizationError) {
                let response = try PushedAuthorizationResponse(status: status, json: input)
                guard status == 201 else { return .violation("accepted with status \(status)") }
                guard response.requestURI.utf8.count <= 2048, ParserDriver.isPrintable(response.requestURI) else {
                    return .violation("an unacceptable request URI")
                }
                return .accepted
            } catch {
                return error.description.contains("urn:") && error.providerError == nil
                    ? .violation("an error with a value") : .refused
            }
        }
    }
}
