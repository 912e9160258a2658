// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// What a token endpoint's response to a code that cannot exist says about the client's authentication.
package enum ClientProbe: Sendable, Hashable {
    /// The code was refused, and the client was not (`invalid_grant`, RFC 6749 section 5.2).
    case accepted
    /// The client was refused: `invalid_client`, or status 401. The text is the error code, or the status.
    case refused(String)
    /// It cannot be told. The text says what came.
    case undecided(String)

    /// Judges a response.
    /// - Parameters:
    ///   - status: The status, which is none that asks to come again later.
    ///   - json: The body.
    package init(status: Int, json: [UInt8]) {
        do throws(TokenResponseError) {
            _ = try TokenResponse(status: status, json: json)
            self = .undecided("tokens for a code that does not exist")
        } catch {
            let code = error.providerError?.code
            if code == "invalid_grant" {
                self = .accepted
            } else if status == 401 || code == "invalid_client" {
                self = .refused(code ?? "status \(status)")
            } else {
                self = .undecided(code ?? "\(error)")
            }
        }
    }
}

extension LiveCheck {
    /// The check of a client, from what its probe found.
    package static func client(of provider: String, method: String, _ probe: ClientProbe) -> LiveCheck {
        let wanted = "invalid_grant for a code that does not exist, with \(method)"
        return switch probe {
        case .accepted:
            LiveCheck(.client, of: provider, .ok, found: "invalid_grant", wanted: wanted)
        case .refused(let found):
            LiveCheck(
                .client, of: provider, .wrong, found: found, wanted: wanted,
                advice: "Compare client-id, the client's secret or key, and client-authentication with the provider's.")
        case .undecided(let found):
            LiveCheck(
                .client, of: provider, .unknown, found: found, wanted: wanted,
                advice: "It cannot be told whether the provider accepts the client. Try a sign-in.")
        }
    }
}
