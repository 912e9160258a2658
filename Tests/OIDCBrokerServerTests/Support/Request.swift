// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import OIDCBrokerConfiguration
/// Requests as text, for raw connections.
enum Request {
    /// A GET with the right Host.
    static func get(_ target: String, _ server: RunningServer, _ fields: [String] = []) -> String {
        head("GET \(target) HTTP/1.1", ["Host: \(server.authority)"] + fields)
    }

    /// A start of a sign-in, which asks the provider for its metadata.
    static func start(_ server: RunningServer, _ attempt: AppClient.Attempt = AppClient.Attempt()) -> String {
        let url = AppClient.publicApp.authorizationURL(issuer: server.issuer, attempt)
        return get(String(url.dropFirst(server.publicURL.origin.count)), server)
    }

    /// A head of these lines.
    static func head(_ line: String, _ fields: [String]) -> String {
        ([line] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
