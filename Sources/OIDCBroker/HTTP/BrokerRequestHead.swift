// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// What the broker reads of a request's head.
///
/// Not an `HTTPRequest`: that looks again at each byte of a path and of an authority that the connection has validated, 8,000
/// instructions of a callback.
package struct BrokerRequestHead: Sendable {
    package var method: HTTPRequest.Method
    /// Host and port, where one was given.
    package var authority: String?
    /// The raw request target, beginning with `/`.
    package var path: String?
    /// The fields that the broker reads, or all; without `Host`.
    package var headerFields: HTTPFields

    package init(method: HTTPRequest.Method, authority: String?, path: String?, headerFields: HTTPFields) {
        self.method = method
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }

    package init(_ request: HTTPRequest) {
        self.init(
            method: request.method, authority: request.authority, path: request.path,
            headerFields: request.headerFields)
    }
}
