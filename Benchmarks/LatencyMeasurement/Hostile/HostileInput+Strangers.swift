// SPDX-License-Identifier: Apache-2.0

import JOSE

extension HostileInput {
    /// Requests that need nothing of a login, an app or a provider; `nil` for other kinds.
    func strangerSteps(_ target: HostileTarget) -> [HostileScript.Step]? {
        let requests: [[UInt8]]
        switch self {
        case .foreignSubresources:
            // What browsers say of an image in a page of another site (W3C Fetch Metadata).
            let fields = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")]
                .map { (name: $0, value: Array($1.utf8)) }
            let response = Array("state=s&code=c".utf8)
            requests = [
                target.get(Array(HostileTarget.start.utf8), fields: fields),
                target.get(Array("\(HostileTarget.prefix)handler?".utf8) + response, fields: fields),
                target.formHead("handler", length: response.count, fields: fields) + response,
            ]
        case .foreignNotifications:
            let parts = [
                #"{"alg":"ES256","kid":"k","typ":"logout+jwt"}"#,
                #"{"iss":"https://other.example","aud":"a","sub":"s","iat":1,"jti":"j"}"#,
                String(repeating: "s", count: 64),
            ]
            let token = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
            requests = [target.form("notifications/p0", Array("logout_token=\(token)".utf8))]
        default:
            return nil
        }
        return (0..<8).flatMap { _ in requests.flatMap { [HostileScript.Step.send($0), .response] } }
    }
}
