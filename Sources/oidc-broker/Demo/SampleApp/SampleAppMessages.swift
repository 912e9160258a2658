// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker
import OpenIDConnect

/// A request to the sample app, without a body, since the app uses none.
struct SampleAppRequest: Sendable {
    /// The method.
    var method: HTTPMethod
    /// The path, as received.
    var path: String
    /// The raw query without `?`; empty if there is none.
    var query: String
    /// The values of the `Cookie` fields.
    var cookies: [String]

    /// Creates a request from a request target, which is split at its first `?`.
    init(method: HTTPMethod, target: String, cookies: [String] = []) {
        self.method = method
        let end = target.firstIndex(of: "?") ?? target.endIndex
        path = String(target[..<end])
        query = String(target[end...].dropFirst())
        self.cookies = cookies
    }

    /// Returns the value of a cookie; `nil` if there is none of that name.
    func cookie(_ name: String) -> String? {
        for field in cookies {
            for pair in field.split(separator: ";") {
                let pair = pair.drop(while: { $0 == " " })
                if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.utf8.count + 1)) }
            }
        }
        return nil
    }
}

/// A response of the sample app.
enum SampleAppResponse: Sendable {
    /// A page.
    case page(Page)
    /// A redirect with status 303 that may set a cookie.
    case redirect(to: String, setCookie: String? = nil)

    /// The response as status, header fields and body.
    var message: (status: HTTPResponseStatus, headers: HTTPHeaders, body: String) {
        var headers: HTTPHeaders = [
            "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff",
        ]
        switch self {
        case .page(let page):
            headers.add(name: "content-type", value: "text/html; charset=utf-8")
            headers.add(name: "content-security-policy", value: page.contentSecurityPolicy)
            headers.add(name: "content-length", value: String(page.html.utf8.count))
            return (HTTPResponseStatus(statusCode: page.status.code), headers, page.html)
        case .redirect(let location, let cookie):
            headers.add(name: "location", value: location)
            if let cookie { headers.add(name: "set-cookie", value: cookie) }
            headers.add(name: "content-length", value: "0")
            return (.seeOther, headers, "")
        }
    }
}
