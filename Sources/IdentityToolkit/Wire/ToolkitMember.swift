// SPDX-License-Identifier: Apache-2.0

/// The name of a member of a request, which may be written in either of two spellings.
struct ToolkitMember: Sendable {
    /// The spelling of most SDKs, such as `idToken`.
    let camelCase: String
    /// The other spelling, such as `id_token`; `nil` if both are the same.
    let snakeCase: String?

    private init(_ camelCase: String) {
        self.camelCase = camelCase
        var snakeCase = ""
        for scalar in camelCase.unicodeScalars {
            if ("A"..."Z").contains(scalar) {
                snakeCase += "_"
                snakeCase.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) | 0x20))
            } else {
                snakeCase.unicodeScalars.append(scalar)
            }
        }
        self.snakeCase = snakeCase == camelCase ? nil : snakeCase
    }

    static let autoCreate = ToolkitMember("autoCreate")
    static let createdAt = ToolkitMember("createdAt")
    static let customAttributes = ToolkitMember("customAttributes")
    static let deleteAttribute = ToolkitMember("deleteAttribute")
    static let deleteProvider = ToolkitMember("deleteProvider")
    static let disableUser = ToolkitMember("disableUser")
    static let disabled = ToolkitMember("disabled")
    static let displayName = ToolkitMember("displayName")
    static let email = ToolkitMember("email")
    static let emailVerified = ToolkitMember("emailVerified")
    static let enrollments = ToolkitMember("enrollments")
    static let federatedUserId = ToolkitMember("federatedUserId")
    static let force = ToolkitMember("force")
    static let grantType = ToolkitMember("grantType")
    static let idToken = ToolkitMember("idToken")
    static let identifier = ToolkitMember("identifier")
    static let lastLoginAt = ToolkitMember("lastLoginAt")
    static let linkProviderUserInfo = ToolkitMember("linkProviderUserInfo")
    static let localId = ToolkitMember("localId")
    static let localIds = ToolkitMember("localIds")
    static let mfa = ToolkitMember("mfa")
    static let mfaInfo = ToolkitMember("mfaInfo")
    static let oobCode = ToolkitMember("oobCode")
    static let password = ToolkitMember("password")
    static let pendingToken = ToolkitMember("pendingToken")
    static let phoneNumber = ToolkitMember("phoneNumber")
    static let photoUrl = ToolkitMember("photoUrl")
    static let postBody = ToolkitMember("postBody")
    static let providerId = ToolkitMember("providerId")
    static let rawId = ToolkitMember("rawId")
    static let redirectUri = ToolkitMember("redirectUri")
    static let refreshToken = ToolkitMember("refreshToken")
    static let requestUri = ToolkitMember("requestUri")
    static let returnIdpCredential = ToolkitMember("returnIdpCredential")
    static let sessionId = ToolkitMember("sessionId")
    static let tenantId = ToolkitMember("tenantId")
    static let token = ToolkitMember("token")
    static let tokenType = ToolkitMember("tokenType")
    static let validDuration = ToolkitMember("validDuration")
    static let validSince = ToolkitMember("validSince")
}
