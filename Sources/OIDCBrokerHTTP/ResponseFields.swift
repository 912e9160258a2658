// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import RawStructuredFieldValues

/// Header fields with constant values, which are created once.
enum ResponseFields {
    /// The fields of every response.
    static let common: HTTPFields = [
        .cacheControl: "no-store",
        .referrerPolicy: "no-referrer",
        .xContentTypeOptions: "nosniff",
    ]

    /// The features that the broker's pages disable, as a structured dictionary of empty lists.
    static let permissionsPolicy: String = {
        let features = ["camera", "geolocation", "microphone", "payment", "publickey-credentials-get", "usb"]
        var policy = OrderedMap<String, ItemOrInnerList>()
        for feature in features {
            policy[feature] = .innerList(
                InnerList(bareInnerList: [], parameters: OrderedMap<String, RFC9651BareItem>()))
        }
        var serializer = StructuredFieldValueSerializer()
        guard let bytes = try? serializer.writeDictionaryFieldValue(policy) else { return "camera=(), microphone=()" }
        return String(decoding: bytes, as: UTF8.self)
    }()
}

extension HTTPField {
    /// Returns a field whose value belongs to one login. On HTTP/2 it is never indexed, so that no compression table of
    /// the connection or of a proxy contains a code, a `state` or a cookie (RFC 7541 section 7.1.3).
    package static func once(_ name: HTTPField.Name, _ value: String) -> HTTPField {
        var field = HTTPField(name: name, value: value)
        field.indexingStrategy = .disallow
        return field
    }
}

extension HTTPFields {
    /// Takes the cookies of an embedding server out of compression tables, as ``HTTPTypes/HTTPField/once(_:_:)`` does.
    package mutating func neverIndexCookies() {
        guard contains(.setCookie) else { return }
        self[fields: .setCookie] = self[fields: .setCookie].map { .once(.setCookie, $0.value) }
    }
}

extension HTTPField.Name {
    /// `Referrer-Policy`.
    package static let referrerPolicy = constant("Referrer-Policy")
    static let permissionsPolicy = constant("Permissions-Policy")
    static let frameOptions = constant("X-Frame-Options")
    /// `Sec-Fetch-Mode`.
    package static let secFetchMode = constant("Sec-Fetch-Mode")
    /// The bundle ID that SDKs send on Apple's systems.
    package static let iOSBundleIdentifier = constant("X-Ios-Bundle-Identifier")
    /// The field in which clients of Google's servers may send an API key.
    package static let googleAPIKey = constant("X-Goog-Api-Key")
    /// The field of a preflight request for a server on a private network, or on the browser's own machine (Private Network
    /// Access, section 3.1).
    package static let accessControlRequestPrivateNetwork = constant("Access-Control-Request-Private-Network")
    /// The field of a response that allows such a request.
    package static let accessControlAllowPrivateNetwork = constant("Access-Control-Allow-Private-Network")
    static let secFetchDestination = constant("Sec-Fetch-Dest")
    static let secFetchSite = constant("Sec-Fetch-Site")

    /// Returns the field name of a constant. `Vary` replaces a name that is not a token, which the tests exclude.
    private static func constant(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .vary
    }
}
