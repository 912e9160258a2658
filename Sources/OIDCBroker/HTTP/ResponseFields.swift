// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import StructuredFieldValues

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
        let policy = PermissionsPolicy()
        guard let bytes = try? StructuredFieldValueEncoder().encode(policy) else { return "camera=(), microphone=()" }
        return String(decoding: bytes, as: UTF8.self)
    }()

    private struct PermissionsPolicy: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.dictionary

        var camera: [String] = []
        var geolocation: [String] = []
        var microphone: [String] = []
        var payment: [String] = []
        var usb: [String] = []
        var publickeyCredentialsGet: [String] = []

        enum CodingKeys: String, CodingKey {
            case camera
            case geolocation
            case microphone
            case payment
            case usb
            case publickeyCredentialsGet = "publickey-credentials-get"
        }
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
