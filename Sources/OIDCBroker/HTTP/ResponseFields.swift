// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RawStructuredFieldValues

/// Header fields that never change, built once.
enum ResponseFields {
    /// What every response carries.
    static let common: HTTPFields = [
        .cacheControl: "no-store",
        .referrerPolicy: "no-referrer",
        .xContentTypeOptions: "nosniff",
    ]

    /// A page of ours needs none of these; a structured field, a dictionary of empty lists.
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
    /// A field whose value is one login's alone. On HTTP/2 it is written as never to be indexed: no table of the
    /// connection, and of no proxy behind it, keeps a code, a `state` or a cookie (RFC 7541 section 7.1.3).
    static func once(_ name: HTTPField.Name, _ value: String) -> HTTPField {
        var field = HTTPField(name: name, value: value)
        field.indexingStrategy = .disallow
        return field
    }
}

extension HTTPField.Name {
    static let referrerPolicy = constant("Referrer-Policy")
    static let permissionsPolicy = constant("Permissions-Policy")
    static let frameOptions = constant("X-Frame-Options")
    static let secFetchMode = constant("Sec-Fetch-Mode")
    static let secFetchDestination = constant("Sec-Fetch-Dest")
    static let secFetchSite = constant("Sec-Fetch-Site")

    /// A name that is a token by its spelling; `Vary` stands in for one that is not, which no test lets happen.
    private static func constant(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? .vary
    }
}
