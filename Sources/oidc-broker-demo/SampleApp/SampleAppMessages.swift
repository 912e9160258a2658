// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOHTTP1
import OIDCBroker
import OIDCBrokerPages
import OpenIDConnect

/// A request to the sample app.
struct SampleAppRequest: Sendable {
    /// The maximum length of a body, in bytes. A form of the app has a few short fields.
    static let longestBody = 4096

    /// The method.
    var method: HTTPMethod
    /// The path, as received.
    var path: String
    /// The raw query without `?`; empty if there is none.
    var query: String
    /// The values of the `Cookie` fields.
    var cookies: [String]
    /// The value of the `Origin` field; `nil` if there is none.
    var origin: String?
    /// The body. One that is too long may lack its end.
    var body: [UInt8]

    /// Creates a request from a request target, which is split at its first `?`.
    init(
        method: HTTPMethod, target: String, cookies: [String] = [], origin: String? = nil, body: [UInt8] = []
    ) {
        self.method = method
        let end = target.firstIndex(of: "?") ?? target.endIndex
        path = String(target[..<end])
        query = String(target[end...].dropFirst())
        self.cookies = cookies
        self.origin = origin
        self.body = body
    }

    /// The fields of the form in the body; `nil` if it is too long or cannot be read.
    var form: Parameters? {
        guard body.count <= Self.longestBody else { return nil }
        return try? FormURLEncoding.parse(body)
    }

    /// Returns the value of a cookie; `nil` if that name is absent.
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
    /// A file.
    case file(SampleAppFile)
    /// A redirect with status 303 that may set a cookie.
    case redirect(to: String, setCookie: String? = nil)

    /// The response as status, header fields and body.
    var message: (status: HTTPResponseStatus, headers: HTTPHeaders, body: String) {
        var headers: HTTPHeaders = ["cache-control": "no-store", "x-content-type-options": "nosniff"]
        switch self {
        case .page(let page):
            headers.add(name: "referrer-policy", value: page.referrerPolicy)
            headers.add(name: "content-type", value: "text/html; charset=utf-8")
            headers.add(name: "content-security-policy", value: page.contentSecurityPolicy)
            headers.add(name: "content-length", value: String(page.html.utf8.count))
            return (HTTPResponseStatus(statusCode: page.status.code), headers, page.html)
        case .file(let file):
            headers.add(name: "content-type", value: file.contentType)
            if let policy = file.contentSecurityPolicy { headers.add(name: "content-security-policy", value: policy) }
            headers.add(name: "content-length", value: String(file.body.utf8.count))
            return (.ok, headers, file.body)
        case .redirect(let location, let cookie):
            headers.add(name: "referrer-policy", value: "no-referrer")
            headers.add(name: "location", value: location)
            if let cookie { headers.add(name: "set-cookie", value: cookie) }
            headers.add(name: "content-length", value: "0")
            return (.seeOther, headers, "")
        }
    }
}
