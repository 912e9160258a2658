// SPDX-License-Identifier: Apache-2.0

import Admission
import BrowserTesting
import HTTPTypes
import NIOCore
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// An acting browser whose requests an installation answers, without sockets.
@dynamicMemberLookup
struct Browser {
    typealias Site = ActingBrowser.Site

    var installation: Installation
    private var acting = ActingBrowser()
    /// Where it is, as far as the connection tells.
    var client: IPAddress?

    init(_ installation: Installation) { self.installation = installation }

    subscript<Value>(dynamicMember member: WritableKeyPath<ActingBrowser, Value>) -> Value {
        get { acting[keyPath: member] }
        set { acting[keyPath: member] = newValue }
    }

    /// Goes to a page.
    mutating func get(
        _ target: String, site: Site = .crossSite, _ change: (inout HTTPFields) -> Void = { _ in }
    ) throws -> BrokerResponse {
        var fields = try fields(target, site, isPost: false)
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
        var fields = try fields(target, site, isPost: true)
        fields[.contentType] = "application/x-www-form-urlencoded"
        fields[.origin] = origin
        change(&fields)
        return try send(.post, target, fields, body: body)
    }

    private func fields(_ target: String, _ site: Site, isPost: Bool) throws -> HTTPFields {
        var fields = HTTPFields()
        let added = acting.fields(
            host: CookieJar.broker, path: String(target.prefix { $0 != "?" }),
            isSecure: installation.configuration.publicURL.isSecure, isPost: isPost, from: site,
            now: installation.clock.now())
        for field in added { fields[try #require(HTTPField.Name(field.name))] = field.value }
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
                body: ByteBuffer(string: body), client: client))
        try acting.take(
            response.setCookies, host: CookieJar.broker, isSecure: url.isSecure, now: installation.clock.now())
        return response
    }
}
