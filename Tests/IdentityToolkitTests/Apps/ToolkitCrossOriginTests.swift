// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import IdentityToolkit

/// The origins that may read a response in a browser.
struct ToolkitCrossOriginTests {
    private static let shop = SDKApp(
        name: "shop", apiKey: "key-of-shop", authorizedDomains: ["shop.example", "localhost"])
    private static let back = SDKApp(name: "back", apiKey: "key-of-back", authorizedDomains: ["back.example"])
    private static let phone = SDKApp(
        name: "phone", kind: .ios, apiKey: "key-of-phone", authorizedDomains: ["phone.example"])
    private static let apps = SDKApps([shop, back, phone])

    private func response(_ origin: String?, for app: SDKApp) -> HTTPFields {
        var fields: HTTPFields = [.contentType: "application/json"]
        ToolkitCrossOrigin(origin.map { [.origin: $0] } ?? [:]).allow(&fields, for: app)
        return fields
    }

    private func preflight(_ origin: String?, asking names: String? = nil) -> HTTPFields {
        var request = HTTPFields()
        request[.origin] = origin
        request[.accessControlRequestHeaders] = names
        var fields = HTTPFields()
        ToolkitCrossOrigin(request).allowPreflight(&fields, for: Self.apps)
        return fields
    }

    @Test(arguments: ["https://shop.example", "https://SHOP.example", "http://localhost:5173"])
    func `a page of the app reads the response`(origin: String) {
        let expected: HTTPFields = [
            .contentType: "application/json", .vary: "Origin", .accessControlAllowOrigin: origin,
        ]
        #expect(response(origin, for: Self.shop) == expected)
    }

    @Test(arguments: [
        "https://back.example", "https://phone.example", "https://evil.example", "https://shop.example.evil.example",
        "http://shop.example", "https://shop.example:8443", "https://shop.example/", "null", "*", "",
        "https://shop.example, https://shop.example",
    ])
    func `no other page does`(origin: String) {
        let expected: HTTPFields = [.contentType: "application/json", .vary: "Origin"]
        #expect(response(origin, for: Self.shop) == expected)
    }

    @Test func `no page reads the response of an app that has none, and without an origin nothing is said`() {
        #expect(response("https://phone.example", for: Self.phone)[.accessControlAllowOrigin] == nil)
        let expected: HTTPFields = [.contentType: "application/json", .vary: "Origin"]
        #expect(response(nil, for: Self.shop) == expected)
    }

    @Test func `two fields are no origin`() {
        var request = HTTPFields()
        request.append(HTTPField(name: .origin, value: "https://shop.example"))
        request.append(HTTPField(name: .origin, value: "https://shop.example"))
        var fields = HTTPFields()
        ToolkitCrossOrigin(request).allow(&fields, for: Self.shop)
        let expected: HTTPFields = [.vary: "Origin"]
        #expect(fields == expected)
    }

    @Test(arguments: [("https://shop.example", true), ("https://back.example", true), ("https://evil.example", false)])
    func `before the app is known, pages of all apps read an error`(origin: String, isAllowed: Bool) {
        var fields = HTTPFields()
        ToolkitCrossOrigin([.origin: origin]).allow(&fields, for: Self.apps)
        let expected = isAllowed ? origin : nil
        #expect(fields[.accessControlAllowOrigin] == expected)
        #expect(fields[.vary] == "Origin")
    }

    @Test(arguments: ["https://shop.example", "https://back.example", "http://localhost:3000"])
    func `a preflight request goes by all apps`(origin: String) {
        let expected: HTTPFields = [
            .vary: "Origin, Access-Control-Request-Headers", .accessControlAllowOrigin: origin,
            .accessControlAllowMethods: "GET, POST",
            .accessControlAllowHeaders:
                "content-type, x-client-version, x-firebase-gmpid, x-firebase-client, x-firebase-locale, "
                + "x-firebase-appcheck, x-goog-api-key",
            .accessControlMaxAge: "7200",
        ]
        #expect(preflight(origin) == expected)
    }

    @Test(arguments: ["https://evil.example", "https://phone.example", "null", nil])
    func `a preflight request of another page is allowed nothing`(origin: String?) {
        let expected: HTTPFields = [.vary: "Origin, Access-Control-Request-Headers"]
        #expect(preflight(origin) == expected)
    }

    @Test func `a page of an app may send any field, within the limits of every preflight request`() {
        let page = "https://shop.example"
        for names in ["traceparent", "x-client-version,x-firebase-gmpid,baggage"] {
            let fields = preflight(page, asking: names)
            let allowed = names.split(separator: ",").joined(separator: ", ")
            #expect(fields[.accessControlAllowHeaders] == allowed)
            #expect(fields[.vary] == "Origin, Access-Control-Request-Headers")
            #expect(fields[.accessControlAllowCredentials] == nil)
        }
        let many = (0..<33).map { "x-\($0)" }
        #expect(
            preflight(page, asking: many.dropLast().joined(separator: ","))[.accessControlAllowHeaders]?.hasSuffix(
                ", x-31") == true)
        for names in [many.joined(separator: ","), String(repeating: "x", count: 1025), "a b", ""] {
            #expect(
                preflight(page, asking: names)[.accessControlAllowHeaders]
                    == preflight(page)[.accessControlAllowHeaders])
        }
        #expect(preflight("https://evil.example", asking: "traceparent")[.accessControlAllowHeaders] == nil)
    }
}
