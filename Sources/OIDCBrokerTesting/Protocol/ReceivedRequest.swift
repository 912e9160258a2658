// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// A complete request as the listener received it, with its parameters decoded once.
package struct ReceivedRequest: Sendable {
    package let method: String
    /// The request target up to `?`, as received.
    package let path: String
    /// The header fields in order, with names in lower case.
    package let headers: [(name: String, value: String)]
    /// The parameters of the query; `nil` if they cannot be decoded.
    package let query: Parameters?
    /// The parameters of the body; `nil` if it is not a form or cannot be decoded.
    package let form: Parameters?
    /// The DER of the client's certificate; `nil` if the listener did not request one.
    package let clientCertificate: [UInt8]?

    package init(
        method: String,
        target: String,
        headers: [(name: String, value: String)],
        body: [UInt8],
        clientCertificate: [UInt8]? = nil
    ) {
        self.method = method
        self.headers = headers
        self.clientCertificate = clientCertificate
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count > 1 ? try? FormURLEncoding.parse(parts[1].utf8) : Parameters()
        let type = headers.first { $0.name == "content-type" }?.value.prefix { $0 != ";" }.lowercased()
        let isForm = type?.split(separator: " ").first == "application/x-www-form-urlencoded"
        form = isForm ? try? FormURLEncoding.parse(body) : nil
    }

    /// The value of the only header field of this name; `nil` if there is none or more than one.
    package func header(_ name: String) -> String? {
        let found = headers.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }
}
