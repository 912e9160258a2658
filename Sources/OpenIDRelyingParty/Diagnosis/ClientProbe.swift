// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

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
    ///   - explain: Returns what the provider says of an error, as far as it may be shown.
    package init(status: Int, json: [UInt8], explain: (ProviderError) -> String? = { _ in nil }) {
        do throws(TokenResponseError) {
            _ = try TokenResponse(status: status, json: json)
            self = .undecided("tokens for a code that does not exist")
        } catch {
            let code = error.providerError?.code
            let said = error.providerError.flatMap(explain).map { ": '\($0)'" } ?? ""
            if code == "invalid_grant" {
                self = .accepted
            } else if status == 401 || code == "invalid_client" {
                self = .refused((code ?? "status \(status)") + said)
            } else {
                self = .undecided((code ?? "\(error)") + said)
            }
        }
    }
}

extension LiveCheck {
    /// The check of a client whose code was refused.
    /// - Parameter what: What was wrong with the other request, such as `secret`.
    package static func clientNotLookedAt(of provider: String, method: String, other what: String) -> LiveCheck {
        LiveCheck(
            .client, of: provider, .unknown,
            found: "invalid_grant, and the same with a random \(what)",
            wanted: "invalid_grant for a code that does not exist, with \(method)",
            advice: "The provider checks the code first, so this does not show whether it accepts the client. "
                + "Try a sign-in.")
    }

    /// A check of the method that a provider does not announce, and that got through.
    package func outweighed(by client: LiveCheck) -> LiveCheck {
        guard subject == .clientAuthentication, verdict == .wrong, client.subject == .client,
            client.verdict == .ok
        else { return self }
        return LiveCheck(
            subject, of: provider, .ok, found: found + "; the token endpoint accepts it anyway", wanted: wanted)
    }

    /// The check of a request that was pushed.
    /// - Parameters:
    ///   - isUsed: Whether sign-ins push their requests. Otherwise the client may lack the right to it alone.
    ///   - error: The error; `nil` if it was accepted.
    package static func pushedRequest(
        of provider: String, isUsed: Bool, redirectURI: String, _ error: RelyingPartyError?
    ) -> [LiveCheck] {
        let wanted = "a request_uri for this client, redirect URI, scopes and modes"
        guard let error else {
            return [
                LiveCheck(.pushedRequest, of: provider, .ok, found: "a request_uri", wanted: wanted),
                LiveCheck(
                    .redirectURI, of: provider, .ok, found: "accepted in a pushed request", wanted: redirectURI),
            ]
        }
        let verdict: Verdict = error.isTemporary ? .unreachable : isUsed ? .wrong : .unknown
        return [
            LiveCheck(
                .pushedRequest, of: provider, verdict, found: "\(error)", wanted: wanted,
                advice: "Compare client-id, redirect URI, scopes, response-type and response-mode with the provider's.")
        ]
    }

    /// The check of a client, from what its probe found.
    /// - Parameters:
    ///   - provider: The name of the provider.
    ///   - method: The client authentication method.
    ///   - probe: What the probe found.
    ///   - advice: What else may be changed if the client is refused; `nil` for nothing.
    package static func client(
        of provider: String, method: String, _ probe: ClientProbe, advice: String? = nil
    ) -> LiveCheck {
        let wanted = "invalid_grant for a code that does not exist, with \(method)"
        return switch probe {
        case .accepted:
            LiveCheck(.client, of: provider, .ok, found: "invalid_grant", wanted: wanted)
        case .refused(let found):
            LiveCheck(
                .client, of: provider, .wrong, found: found, wanted: wanted,
                advice: "Compare client-id, the client's secret or key, and client-authentication with the provider's."
                    + (advice.map { " Or: \($0)." } ?? ""))
        case .undecided(let found):
            LiveCheck(
                .client, of: provider, .unknown, found: found, wanted: wanted,
                advice: "Try a sign-in: whether the provider accepts the client cannot be checked.")
        }
    }
}
