// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore

extension BrokerResponse {
    /// Returns the response to a request for a public document, which any web page may read without credentials and
    /// caches may keep.
    /// - Parameters:
    ///   - json: The document.
    ///   - maximumAge: How long caches may keep it, in seconds.
    ///   - method: The method of the request.
    package static func publicDocument(
        _ json: ByteBuffer, maximumAge: Int, to method: HTTPRequest.Method
    ) -> BrokerResponse {
        let methods = "GET, HEAD"
        switch method {
        case .get, .head:
            var response = BrokerResponse.plain(status: .ok, "")
            response.head.headerFields[.contentType] = "application/json"
            response.head.headerFields[.cacheControl] = "public, max-age=\(maximumAge)"
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            response.body = json
            return response
        case .options:
            var response = BrokerResponse.plain(status: .noContent, "")
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            response.head.headerFields[.accessControlAllowMethods] = methods
            return response
        default:
            return .methodNotAllowed(methods + ", OPTIONS")
        }
    }
}
