// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The metadata of an issuer that receives no requests.
func metadata(_ issuer: String) throws -> ProviderMetadata {
    try ProviderMetadata(json: discoveryDocument(issuer), issuer: issuer, allowsLoopbackHTTP: false)
}

/// The discovery document of an issuer; the key set stands on another host.
func discoveryDocument(_ issuer: String) -> [UInt8] {
    let document: JSONObject = [
        "issuer": .string(issuer),
        "authorization_endpoint": .string(issuer + "/authorize"),
        "token_endpoint": .string(issuer + "/token"),
        "jwks_uri": "https://keys.example/jwks",
        "id_token_signing_alg_values_supported": ["ES256"],
    ]
    return document.serialized()
}

/// A key set whose keys have these ids.
func keySet(_ keyIDs: String...) throws -> KeySet {
    let keys = try keyIDs.map { keyID in
        var key = try SigningKey.generate(.es256).publicJWK
        key["kid"] = .string(keyID)
        return JSONValue.object(key)
    }
    return try KeySet(json: (["keys": .array(keys)] as JSONObject).serialized())
}
