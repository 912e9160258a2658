// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect

/// The web page that sends a request, and the apps' responses that it may read (Fetch Standard, CORS protocol).
struct CrossOrigin {
    /// The fields beside the usual ones that a page may read: why it was refused, and when it may ask again. `DPoP-Nonce`
    /// stands here for libraries that wait for it.
    private static let exposed = "WWW-Authenticate, Retry-After, DPoP-Nonce"

    /// The page's origin; `nil` if the request has none, or one that is no app's.
    private let origin: String?

    init(_ request: BrokerRequest) {
        origin = request.headerFields[.origin].flatMap { WireText($0).ascii(atMost: AbsoluteURL.maximumLength) }
    }

    /// Responds to a preflight request. It does not identify the app, so the origins of all apps are allowed.
    func preflight(_ request: BrokerRequest, allowing methods: String, snapshot: BrokerSnapshot) -> BrokerResponse {
        var response = BrokerResponse.plain(status: .noContent, "")
        response.head.headerFields.varyOfPreflight()
        guard let origin, snapshot.hasApp(at: origin) else { return response }
        response.head.headerFields[.accessControlAllowOrigin] = origin
        response.head.headerFields[.accessControlAllowMethods] = methods
        response.head.headerFields.allow(PreflightFields(request.headerFields))
        return response
    }

    /// Allows a web page to read a response only if its origin is one of the app.
    func allowing(_ response: BrokerResponse, for app: AppEntry) -> BrokerResponse {
        allowing(response) { app.hasOrigin($0) }
    }

    /// Allows the web pages of all apps to read a response, which is an error without any content of a token.
    func allowing(_ response: BrokerResponse, for snapshot: BrokerSnapshot) -> BrokerResponse {
        allowing(response) { snapshot.hasApp(at: $0) }
    }

    /// Lets the web pages of all apps read a response that was made before the request reached its endpoint, if that is an
    /// endpoint for apps. The responses of other endpoints are unchanged.
    func allowing(
        _ response: BrokerResponse, before endpoint: EndpointPath?, for snapshot: BrokerSnapshot
    ) -> BrokerResponse {
        guard endpoint?.limit == .refusals else { return response }
        return allowing(response, for: snapshot)
    }

    private func allowing(_ response: BrokerResponse, if isAllowed: (String) -> Bool) -> BrokerResponse {
        var response = response
        response.head.headerFields[.vary] = "Origin"
        guard let origin, isAllowed(origin) else { return response }
        response.head.headerFields[.accessControlAllowOrigin] = origin
        response.head.headerFields[.accessControlExposeHeaders] = Self.exposed
        return response
    }
}
