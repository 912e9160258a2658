// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

extension BrokerResponse {
    /// Returns the response to a request for a public document, which any web page may read without credentials and
    /// caches may keep. A page may send any header field: they are not read.
    /// - Parameters:
    ///   - document: The document.
    ///   - maximumAge: How long caches may keep it, in seconds.
    ///   - request: The request.
    package static func publicDocument(
        _ document: PublicDocument, maximumAge: Int, to request: BrokerRequest
    ) -> BrokerResponse {
        let methods = "GET, HEAD"
        switch request.method {
        case .get, .head:
            let isKnown = document.isKnown(to: request.headerFields)
            var response = BrokerResponse.plain(status: isKnown ? .notModified : .ok, "")
            response.head.headerFields[.contentType] = isKnown ? nil : "application/json"
            response.head.headerFields[.cacheControl] = "public, max-age=\(maximumAge)"
            response.head.headerFields[.eTag] = document.entityTag
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            if !isKnown { response.body = document.body }
            return response
        case .options:
            var response = BrokerResponse.plain(status: .noContent, "")
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            response.head.headerFields[.accessControlAllowMethods] = methods
            response.head.headerFields.allow(PreflightFields(request.headerFields))
            return response
        default:
            return .methodNotAllowed(methods + ", OPTIONS")
        }
    }
}
