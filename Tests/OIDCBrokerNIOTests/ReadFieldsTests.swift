// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import Testing

/// Which fields of an HTTP/1 request reach the broker. One that is missing here would be as if no browser had sent it.
@Suite struct ReadFieldsTests {
    private func fields(_ name: String) throws -> HTTPFields {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/__/auth/handler", headers: ["host": "a.example", name: "value"])
        let target = HTTP1Parts.target(of: head)
        return try #require(HTTP1Parts.request(head, target: target, isHTTP2: false)).request.headerFields
    }

    @Test(arguments: [
        "Access-Control-Request-Headers", "Authorization", "Content-Length", "Content-Type", "Cookie", "Expect",
        "If-None-Match", "Origin", "Sec-Fetch-Dest",
        "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Purpose", "Transfer-Encoding", "Upgrade",
    ])
    func `a field that is read is there, however its name is spelled`(name: String) throws {
        let fieldName = try #require(HTTPField.Name(name))
        for spelling in [name, name.lowercased(), name.uppercased()] {
            let values = try fields(spelling)[values: fieldName]
            #expect(values == ["value"], "\(spelling)")
        }
    }

    @Test(arguments: ["User-Agent", "Sec-Fetch-Sitf", "Cookies", "A-name-longer-than-any-that-is-read"])
    func `others are not`(name: String) throws {
        let all = try fields(name)
        #expect(all.isEmpty)
    }
}
