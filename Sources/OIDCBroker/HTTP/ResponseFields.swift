// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RawStructuredFieldValues

/// Header fields that never change, built once.
enum ResponseFields {
    /// What every answer carries.
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
