// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A browser with cookies and the header fields of browsers.
struct Browser {
    /// Where a request comes from, as `Sec-Fetch-Site` has it.
    enum Site: String {
        case none
        case sameOrigin = "same-origin"
        case crossSite = "cross-site"
    }

    var installation: Installation
    var jar = CookieJar()
    /// Whether it sends `Sec-Fetch-*`.
    var sendsFetchMetadata = true
    /// Whether it drops every cookie from a cross-site POST, `SameSite=None` or not.
    var withholdsCrossSiteCookies = false
    /// Where it is, as far as the connection tells.
    var clientAddress: ClientAddress?
    /// The same, whatever network it is in.
    var client: IPAddress?

    init(_ installation: Installation) { self.installation = installation }

    /// Goes to a page.
    mutating func get(
        _ target: String, site: Site = .crossSite, _ change: (inout HTTPFields) -> Void = { _ in }
    ) throws -> BrokerResponse {
        var fields = fields(target, site, isCrossSitePost: false)
        change(&fields)
        return try send(.get, target, fields, body: "")
    }

    /// Sends a form.
    mutating func post(
        _ target: String, _ form: [(String, String)], site: Site, origin: String,
        _ change: (inout HTTPFields) -> Void = { _ in }
    ) throws -> BrokerResponse {
        try post(target, body: Query.encode(form), site: site, origin: origin, change)
    }

    /// Sends a form that is written already.
    mutating func post(
        _ target: String, body: String, site: Site, origin: String,
        _ change: (inout HTTPFields) -> Void = { _ in }
    ) throws -> BrokerResponse {
        var fields = fields(target, site, isCrossSitePost: site == .crossSite)
        if site == .crossSite, withholdsCrossSiteCookies { fields[.cookie] = nil }
        fields[.contentType] = "application/x-www-form-urlencoded"
        fields[.origin] = origin
        change(&fields)
        return try send(.post, target, fields, body: body)
    }

    private func fields(_ target: String, _ site: Site, isCrossSitePost: Bool) -> HTTPFields {
        var fields = HTTPFields()
        fields[.cookie] = jar.field(
            host: CookieJar.broker, path: String(target.prefix { $0 != "?" }),
            isSecure: installation.configuration.publicURL.isSecure, isCrossSitePost: isCrossSitePost,
            now: installation.clock.now())
        if sendsFetchMetadata {
            fields[.secFetchMode] = "navigate"
            fields[.secFetchDestination] = "document"
            fields[.secFetchSite] = site.rawValue
        }
        return fields
    }

    private mutating func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, body: String
    ) throws -> BrokerResponse {
        let url = installation.configuration.publicURL
        let response = try installation.respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: method, scheme: url.scheme, authority: url.authority, path: target, headerFields: fields),
                body: ByteBuffer(string: body), clientAddress: clientAddress, client: client))
        let now = installation.clock.now()
        for field in response.setCookies {
            let isTaken = jar.take(field, host: CookieJar.broker, isSecure: url.isSecure, now: now)
            #expect(isTaken, "a browser would not take \(field)")
        }
        return response
    }
}
