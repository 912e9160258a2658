// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
import OpenIDConnect
public import OpenIDRelyingParty
import Synchronization

/// The transfer of an app's people to another developer team: Apple names each person anew for each team, and
/// translates the old name into a transfer identifier, and that into the new name.
///
/// The old team asks ``transferSubject(for:recipientTeam:on:)`` for each person, best before the transfer, and hands
/// the answers over; the new team asks ``user(forTransfer:on:)`` for each. Apple answers both until 60 days after the
/// transfer. It wants an access token of its own for both, fetched at the first call and used until it expires:
/// keep one value for a whole migration.
public struct AppleTransfer: Sendable {
    /// The access token that is in use.
    private final class AccessToken: Sendable {
        struct Value: Sendable {
            let token: Secret
            let expiry: Int64
        }

        let value = Mutex<Value?>(nil)
    }

    /// The scope of the access token.
    private static let scope = "user.migration"
    /// The longest answer, bytes.
    private static let maximumBytes = 262_144
    /// A token is not used in its last seconds.
    private static let reserve: Int64 = 60

    private let relyingParty: RelyingParty
    private let clientID: String
    private let clock: any UnixClock
    private let accessToken = AccessToken()

    /// A transfer for one app.
    /// - Parameters:
    ///   - relyingParty: Apple, with the key of the team that asks.
    ///   - bundleID: the app; nil for the relying party's own Services ID.
    ///   - clock: tells when the access token expires.
    public init(relyingParty: RelyingParty, bundleID: String? = nil, clock: any UnixClock = SystemUnixClock()) {
        self.relyingParty = relyingParty
        clientID = bundleID ?? relyingParty.configuration.clientID
        self.clock = clock
    }

    /// What another team will know a person by until it has its own name for them.
    /// - Parameters:
    ///   - subject: `sub` as this team knows it.
    ///   - recipientTeam: the other team's id, 10 characters.
    /// - Returns: the transfer identifier, the same for every app and call. A future of the given event loop; it fails
    ///   with ``RelyingPartyError``.
    public func transferSubject(
        for subject: String,
        recipientTeam: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<String> {
        guard AppleKey.isIdentifier(recipientTeam) else {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.userMigration, "\(AppleKeyError.teamID)"))
        }
        return ask([("sub", subject), ("target", recipientTeam)], on: eventLoop).flatMapThrowing { response in
            try Self.identifier("transfer_sub", of: response)
        }
    }

    /// The person behind a transfer identifier that another team handed over.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    public func user(
        forTransfer transferSubject: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<AppleTransferredUser> {
        ask([("transfer_sub", transferSubject)], on: eventLoop).flatMapThrowing { response in
            AppleTransferredUser(
                subject: try Self.identifier("sub", of: response), email: response["email"]?.text?.makeString(),
                isPrivateEmail: response["is_private_email"].flatMap(AppleClaims.boolean))
        }
    }

    /// The async overload of ``transferSubject(for:recipientTeam:on:)``, on any loop of the given group.
    public func transferSubject(
        for subject: String,
        recipientTeam: String,
        using group: any EventLoopGroup
    ) async throws -> String {
        try await transferSubject(for: subject, recipientTeam: recipientTeam, on: group.any()).get()
    }

    /// The async overload of ``user(forTransfer:on:)``, on any loop of the given group.
    public func user(
        forTransfer transferSubject: String,
        using group: any EventLoopGroup
    ) async throws -> AppleTransferredUser {
        try await user(forTransfer: transferSubject, on: group.any()).get()
    }

    // MARK: Requests

    private func ask(
        _ parameters: [(String, String)],
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<JSONObject> {
        guard let endpoint = AbsoluteURL(relyingParty.configuration.issuer + AppleIssuer.userMigrationPath) else {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.userMigration, "the issuer is not a URL"))
        }
        return usableAccessToken(on: eventLoop).flatMap { token in
            relyingParty.post(
                .userMigration, to: endpoint, parameters, clientID: clientID, accessToken: token, on: eventLoop)
        }.flatMapThrowing { response in
            try Self.object(in: response)
        }.flatMapErrorThrowing { error in
            // Whatever was wrong with it, the next call begins with a new one.
            accessToken.value.withLock { $0 = nil }
            throw error
        }
    }

    private func usableAccessToken(on eventLoop: any EventLoop) -> EventLoopFuture<Secret> {
        let now = clock.now()
        if let known = accessToken.value.withLock({ $0 }), known.expiry - now > Self.reserve {
            return eventLoop.makeSucceededFuture(known.token)
        }
        return relyingParty.metadata(on: eventLoop).future(on: eventLoop).flatMap { metadata in
            relyingParty.post(
                .userMigration, to: metadata.tokenEndpoint,
                [("grant_type", "client_credentials"), ("scope", Self.scope)], clientID: clientID, on: eventLoop)
        }.flatMapThrowing { response in
            let response = try Self.object(in: response)
            guard let text = response["access_token"]?.text?.visibleASCII(atMost: Self.maximumBytes), !text.isEmpty,
                response["token_type"]?.text?.ascii(atMost: 16)?.lowercased() == "bearer"
            else { throw RelyingPartyError.unusable(.userMigration, "the response has no bearer token") }
            let token = Secret(text)
            let lifetime = min(response["expires_in"]?.secondsValue ?? 0, 86_400)
            accessToken.value.withLock { $0 = AccessToken.Value(token: token, expiry: now + lifetime) }
            return token
        }
    }

    private static func object(in response: ProviderResponse) throws -> JSONObject {
        do {
            return try JSONParser.object(
                Array(response.body.readableBytesView), limits: JSONLimits(maximumBytes: maximumBytes))
        } catch {
            throw RelyingPartyError.unusable(.userMigration, "\(error)")
        }
    }

    private static func identifier(_ member: String, of response: JSONObject) throws -> String {
        guard let text = response[member]?.text?.visibleASCII(atMost: 255), !text.isEmpty
        else { throw RelyingPartyError.unusable(.userMigration, "the response has no '\(member)'") }
        return text
    }
}
