// SPDX-License-Identifier: Apache-2.0

extension ToolkitError {
    /// The operations of the admin API that are not offered, by a part of their path.
    private static let adminOperations: [(part: String, name: String)] = [
        ("/tenants", "Managing tenants"), ("/oauthIdpConfigs", "Configuring OpenID Providers"),
        ("/inboundSamlConfigs", "Configuring SAML providers"), ("/defaultSupportedIdpConfigs", "Configuring providers"),
        ("/config", "Changing the configuration of a project"), (":createSessionCookie", "createSessionCookie"),
        (":sendOobCode", "sendOobCode"), (":query", "query"),
    ]

    /// The error for an operation of the admin API that is not offered. It has the operation's name from a closed list.
    /// - Parameter path: The path of the request.
    static func unsupportedAdminOperation(at path: String) -> ToolkitError {
        let known = adminOperations.first { contains(path.utf8, $0.part.utf8) }?.name
        return ToolkitError(.operationNotAllowed, "\(known ?? "The operation") is not offered here.")
    }

    private static func contains(_ path: String.UTF8View, _ part: String.UTF8View) -> Bool {
        path.indices.contains { path[$0...].starts(with: part) }
    }
}
