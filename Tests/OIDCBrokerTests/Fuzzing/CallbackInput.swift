// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// A whole request as bytes: method, target, Cookie field and Content-Type, a line each, then the body. Any bytes are
/// some request.
struct CallbackInput {
    let request: BrokerRequest

    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
        func text(_ number: Int) -> String {
            number < parts.count ? String(decoding: parts[number], as: UTF8.self) : ""
        }
        var fields: HTTPFields = [
            .secFetchMode: "navigate", .secFetchDestination: "document", .secFetchSite: "same-origin",
        ]
        if !text(2).isEmpty { fields[.cookie] = text(2) }
        if !text(3).isEmpty { fields[.contentType] = text(3) }
        let method: HTTPRequest.Method = text(0) == "GET" ? .get : .post
        request = BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "auth.example.com", path: text(1), headerFields: fields),
            body: parts.count > 4 ? ByteBuffer(bytes: parts[4]) : ByteBuffer())
    }
}
