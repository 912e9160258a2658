// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import Testing

extension BrokerResponse {
    var status: Int { head.status.code }

    var text: String { String(buffer: body) }

    /// The heading of a page; nil for anything else.
    var heading: String? {
        text.firstMatch(of: /<h1[^>]*>(.*?)<\/h1>/).map { String($0.1) }
    }

    /// The body as a JSON object.
    func json() throws -> JSONObject {
        try JSONParser.object(Array(body.readableBytesView), limits: JSONLimits(maximumBytes: 1 << 20))
    }

    /// The Set-Cookie fields, in their order.
    var setCookies: [String] { head.headerFields[values: .setCookie] }
}
