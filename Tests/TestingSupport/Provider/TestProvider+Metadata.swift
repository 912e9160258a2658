// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What it publishes.
extension TestProvider {
    func metadata(_ behavior: Behavior) -> JSONObject {
        let algorithm = (behavior.signingKey ?? key).algorithm
        var metadata: JSONObject = [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(origin + "/authorize"),
            "token_endpoint": .string(origin + "/token"),
            "jwks_uri": .string(origin + "/jwks"),
            "id_token_signing_alg_values_supported": .array([.string(algorithm.rawValue)]),
            "authorization_response_iss_parameter_supported": .bool(behavior.announcesIssuer),
        ]
        if behavior.announcesOptionalEndpoints {
            metadata["userinfo_endpoint"] = .string(origin + "/userinfo")
            metadata["revocation_endpoint"] = .string(origin + "/revoke")
            metadata["pushed_authorization_request_endpoint"] = .string(origin + "/par")
        }
        metadata.replaceMembers(behavior.metadata)
        return metadata
    }

    func keySet(_ behavior: Behavior) -> JSONObject {
        ["keys": .array((behavior.publishedKeys ?? [key.publicJWK]).map { .object($0) })]
    }
}

extension JSONObject {
    /// Puts members in, or in the place of others of their names; null takes one out.
    mutating func replaceMembers(_ others: JSONObject) {
        for member in others.members { self[member.name] = member.value == .null ? nil : member.value }
    }
}
