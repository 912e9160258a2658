// SPDX-License-Identifier: Apache-2.0

import JOSE

/// One thing that is wrong with an ID token of the front channel, and the check that must notice.
struct FrontChannelClaims: Sendable, CustomStringConvertible {
    let description: String
    let check: String
    let change: @Sendable (inout JSONObject) -> Void

    private init(_ description: String, _ check: String, _ change: @escaping @Sendable (inout JSONObject) -> Void) {
        self.description = description
        self.check = check
        self.change = change
    }

    /// What is wrong with the token whatever stands beside it.
    static let always: [FrontChannelClaims] = [
        FrontChannelClaims("iss + 1", "issuer") { $0["iss"] = "https://issuer.example1" },
        FrontChannelClaims("iss with a slash", "issuer") { $0["iss"] = "https://issuer.example/" },
        FrontChannelClaims("no iss", "issuer") { $0["iss"] = nil },
        FrontChannelClaims("aud + 1", "audience") { $0["aud"] = "client1" },
        FrontChannelClaims("no aud", "audience") { $0["aud"] = nil },
        FrontChannelClaims("two aud, no azp", "audience") { $0["aud"] = ["client", "other"] },
        FrontChannelClaims("azp of another", "authorized party") { $0["azp"] = "other" },
        FrontChannelClaims("no sub", "subject") { $0["sub"] = nil },
        FrontChannelClaims("sub is the client", "subject") { $0["sub"] = "client" },
        FrontChannelClaims("no exp", "expiry") { $0["exp"] = nil },
        FrontChannelClaims("expired", "expiry") { $0["exp"] = 1_799_999_940 },
        FrontChannelClaims("no iat", "issued at") { $0["iat"] = nil },
        FrontChannelClaims("iat in 61 s", "issued at") { $0["iat"] = 1_800_000_061 },
        FrontChannelClaims("nbf in 61 s", "not before") { $0["nbf"] = 1_800_000_061 },
        FrontChannelClaims("no nonce", "nonce") { $0["nonce"] = nil },
        FrontChannelClaims("another nonce", "nonce") { $0["nonce"] = "another" },
        FrontChannelClaims("events", "token kind") { $0["events"] = [:] },
        FrontChannelClaims("s_hash of another state", "state hash") { $0["s_hash"] = "LDktKdoQak3Pk0cnXxCltA" },
        FrontChannelClaims("s_hash of no text", "state hash") { $0["s_hash"] = 1 },
    ]

    /// What is wrong with a token beside a code.
    static let besideCode: [FrontChannelClaims] = [
        FrontChannelClaims("no c_hash", "code hash") { $0["c_hash"] = nil },
        FrontChannelClaims("c_hash of another code", "code hash") { $0["c_hash"] = "LDktKdoQak3Pk0cnXxCltA" },
        FrontChannelClaims("c_hash of no text", "code hash") { $0["c_hash"] = ["LDktKdoQak3Pk0cnXxCltA"] },
        FrontChannelClaims("empty c_hash", "code hash") { $0["c_hash"] = "" },
    ]
}
