// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDRelyingParty

extension TestProvider {
    /// UserInfo, signed if it is told to.
    func userInfo(_ behavior: Behavior) throws -> ProviderResponse {
        var claims = behavior.person.userInfo
        if behavior.signsUserInfo {
            claims["iss"] = .string(issuer)
            claims["aud"] = .string(client.id)
        }
        behavior.changeUserInfo(&claims)
        guard behavior.signsUserInfo else { return .json(claims) }
        let token = try (behavior.signingKey ?? key).sign(claims, type: "JWT", header: behavior.header)
        return ProviderResponse(status: 200, contentType: "application/jwt", body: ByteBuffer(string: token))
    }
}
