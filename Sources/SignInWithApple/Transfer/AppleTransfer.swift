// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
import OpenIDConnect
public import OpenIDRelyingParty
import Synchronization

/// The transfer of an app's accounts to another developer team. Apple gives each user a different subject for each
/// team. It translates the old team's subject into a transfer identifier, and that into the new team's subject.
///
/// The old team calls ``transferSubject(for:recipientTeam:on:)`` for each user, preferably before the transfer, and
/// hands the identifiers over. The new team calls ``user(forTransfer:on:)`` for each identifier. Apple supports both
/// until 60 days after the transfer. Both need an access token, which is fetched at the first call and used until it
/// expires, so use one value of this type for a whole migration.
public struct AppleTransfer: Sendable {
    /// The cached access token.
    private final class AccessToken: Sendable {
        struct Value: Sendable {
            let token: Secret
            let expiry: Int64
        }

        let value = Mutex<Value?>(nil)
    }

    /// The scope of the access token.
    private static let scope = "user.migration"
    /// The maximum size of a response, in bytes.
    private static let maximumBytes = 262_144
    /// The time before its expiry from which the access token is not used any more, in seconds.
    private static let reserve: Int64 = 60

    private let relyingParty: RelyingParty
    private let clientID: String
    private let clock: any UnixClock
    private let accessToken = AccessToken()

    /// Creates a transfer for one app.
    /// - Parameters:
    ///   - relyingParty: The relying party for Apple, with the key of the calling team.
    ///   - bundleID: The bundle ID of the app; `nil` if the relying party's own Services ID is used.
    ///   - clock: The clock that determines when the access token expires.
    public init(relyingParty: RelyingParty, bundleID: String? = nil, clock: any UnixClock = SystemUnixClock()) {
        self.relyingParty = relyingParty
        clientID = bundleID ?? relyingParty.configuration.clientID
        self.clock = clock
    }

    /// Returns the transfer identifier of a user, by which another team knows the user until it has its own
    /// subject.
    /// - Parameters:
    ///   - subject: The user's `sub` for this team.
    ///   - recipientTeam: The id of the other team, 10 characters.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: The transfer identifier, the same for every app and call, in a future on the given event loop that
    ///   fails with `RelyingPartyError`.
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

    /// Returns the user with a transfer identifier that another team handed over.
    /// - Returns: A future on the given event loop that fails with `RelyingPartyError`.
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

    /// The async overload of ``transferSubject(for:recipientTeam:on:)``, which runs on any event loop of the given
    /// group.
    public func transferSubject(
        for subject: String,
        recipientTeam: String,
        using group: any EventLoopGroup
    ) async throws -> String {
        try await group.submit { self.transferSubject(for: subject, recipientTeam: recipientTeam, on: $0) }
    }

    /// The async overload of ``user(forTransfer:on:)``, which runs on any event loop of the given group.
    public func user(
        forTransfer transferSubject: String,
        using group: any EventLoopGroup
    ) async throws -> AppleTransferredUser {
        try await group.submit { self.user(forTransfer: transferSubject, on: $0) }
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
                .userMigration, to: endpoint, parameters, clientID: clientID, accessToken: token,
                in: RequestScope(on: eventLoop, deadline: .now() + RelyingParty.requestTimeout)
            ).future(on: eventLoop)
        }.flatMapThrowing { response in
            try Self.object(in: response)
        }.flatMapErrorThrowing { error in
            // Whatever the error was, the next call fetches a new access token.
            accessToken.value.withLock { $0 = nil }
            throw error
        }
    }

    private func usableAccessToken(on eventLoop: any EventLoop) -> EventLoopFuture<Secret> {
        let now = clock.now()
        if let known = accessToken.value.withLock({ $0 }), known.expiry - now > Self.reserve {
            return eventLoop.makeSucceededFuture(known.token)
        }
        return relyingParty.metadata(on: eventLoop).flatMap { metadata in
            relyingParty.post(
                .userMigration, to: .token, metadata,
                [("grant_type", "client_credentials"), ("scope", Self.scope)], clientID: clientID,
                in: RequestScope(on: eventLoop, deadline: .now() + RelyingParty.requestTimeout))
        }.future(on: eventLoop).flatMapThrowing { response in
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

/// A user whose account was transferred from another team, as this team knows the user.
public struct AppleTransferredUser: Sendable, Hashable {
    /// The `sub` of this team's ID tokens from now on.
    public let subject: String
    /// The email; `nil` if Apple gives none. A relay address differs from the one that the old team had.
    public let email: String?
    /// Whether the email hides the user's own; `nil` if Apple does not specify it.
    public let isPrivateEmail: Bool?
}
