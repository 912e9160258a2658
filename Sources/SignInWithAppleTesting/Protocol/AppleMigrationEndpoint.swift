// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect

extension AppleState {
    /// The migration endpoint. It returns `transfer_sub` for `sub` and `target`; the other team exchanges that for its
    /// own `sub`.
    mutating func migrate(_ request: ReceivedRequest) -> SentResponse {
        do throws(AppleTokenRefusal) {
            guard let form = request.form else { throw AppleTokenRefusal("invalid_request", "the body is not a form") }
            let client = try authenticated(form)
            let parts = (request.header("authorization") ?? "").split(separator: " ")
            guard parts.count == 2, parts[0] == "Bearer",
                let owner = migrationTokens.value(for: String(parts[1]), now: now),
                owner.id.hasSameBytes(as: client.id)
            else { throw AppleTokenRefusal(.error("invalid_token", "the access token is not one", status: 401)) }
            if let transfer = try Self.parameter("transfer_sub", of: form) {
                return try received(transfer, client)
            }
            return try handedOver(form, client)
        } catch {
            return error.response
        }
    }

    private mutating func handedOver(
        _ form: Parameters, _ client: MockApple.Client
    ) throws(AppleTokenRefusal) -> SentResponse {
        guard let subject = try Self.parameter("sub", of: form), let target = try Self.parameter("target", of: form)
        else { throw AppleTokenRefusal("invalid_request", "sub or target is missing") }
        let person = configuration.people.first { $0.subject(teamID: client.teamID).hasSameBytes(as: subject) }
        guard let person else { throw AppleTokenRefusal("invalid_request", "unknown sub") }
        counts.migrations += 1
        return .json(["transfer_sub": .string(person.transferSubject(from: client.teamID, to: target))])
    }

    private mutating func received(
        _ transfer: String, _ client: MockApple.Client
    ) throws(AppleTokenRefusal) -> SentResponse {
        let teams = Set(configuration.clients.map(\.teamID)).union(previousTeams.values)
        let person = configuration.people.first { person in
            teams.contains { person.transferSubject(from: $0, to: client.teamID).hasSameBytes(as: transfer) }
        }
        guard let person else { throw AppleTokenRefusal("invalid_request", "no transfer to this team") }
        counts.migrations += 1
        let isPrivate = consents[AppleConsent(email: person.email, teamID: client.teamID)] ?? person.hidesEmail
        return .json([
            "sub": .string(person.subject(teamID: client.teamID)),
            "email": .string(isPrivate ? person.relayAddress(teamID: client.teamID) : person.email),
            "is_private_email": .bool(isPrivate),
        ])
    }
}
