// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1

/// The calls of the sample app on the broker's wire for accounts, in JSON over HTTPS, as the SDK of an app on an Apple
/// system makes them.
struct AccountsWire: Sendable {
    /// The tokens of a session.
    struct Tokens: Sendable {
        /// The uid of the account.
        let uid: String
        /// The ID token of the account.
        let idToken: String
        /// The refresh token.
        let refreshToken: String
        /// The lifetime of the ID token, in seconds.
        let lifetime: Int64
        /// Whether the account was made by this sign-in.
        let isNew: Bool
    }

    /// The `iss` of ID tokens of accounts.
    let issuer: String
    /// The ID of the project, the `aud` of ID tokens of accounts.
    let projectID: String

    private static let toolkit = "identitytoolkit.googleapis.com"
    private static let secureToken = "securetoken.googleapis.com"

    /// Sends a request to the broker.
    typealias Sender =
        @Sendable (HTTPClientRequest) async throws(BrokerClientError) -> (HTTPResponseStatus, [UInt8])

    private let sender: Sender
    private let origin: String
    private let apiKey: String
    private let bundleID: String

    /// Creates the calls of an app.
    ///
    /// - Parameters:
    ///   - client: The connections to the broker.
    ///   - origin: The broker's public URL.
    ///   - projectID: The ID of the project.
    ///   - apiKey: The API key of the app.
    ///   - bundleID: The bundle ID of the app.
    init(client: BrokerClient, origin: String, projectID: String, apiKey: String, bundleID: String) {
        self.init(
            issuer: client.issuer + "/accounts", origin: origin, projectID: projectID, apiKey: apiKey,
            bundleID: bundleID,
            sender: { (request: HTTPClientRequest) async throws(BrokerClientError) in
                try await client.send(request)
            })
    }

    /// Creates the calls of an app, with what sends them.
    init(
        issuer: String, origin: String, projectID: String, apiKey: String, bundleID: String,
        sender: @escaping Sender
    ) {
        self.issuer = issuer
        self.sender = sender
        self.origin = origin
        self.projectID = projectID
        self.apiKey = apiKey
        self.bundleID = bundleID
    }

    // MARK: Sessions

    /// Signs a user in, or links the provider.
    ///
    /// - Parameters:
    ///   - credential: What the provider gave.
    ///   - mayCreate: Whether an account may be made.
    ///   - idToken: The ID token of the account to which the provider is linked; `nil` for a sign-in.
    func signIn(
        _ credential: SignInSheet.Credential, mayCreate: Bool = true, linkingTo idToken: String? = nil
    ) async throws(AccountsWireError) -> Tokens {
        var members: JSONObject = [
            "requestUri": "http://localhost",
            "postBody": .string(Self.postBody(credential)),
            "autoCreate": .bool(mayCreate),
            "returnIdpCredential": true,
            "returnSecureToken": true,
        ]
        if let idToken { members["idToken"] = .string(idToken) }
        let answer = try await call("\(Self.toolkit)/v1/accounts:signInWithIdp", members)
        // With status 200, since the answer hands the credential back for another try.
        if answer["needConfirmation"] != nil {
            let providers = answer["verifiedProvider"]?.arrayValue ?? []
            throw .needsConfirmation(providers: providers.compactMap { $0.text?.ascii(atMost: 128) })
        }
        if let message = answer["errorMessage"] {
            guard let code = message.text?.ascii(atMost: 128) else { throw .unreadable }
            throw .refused(code: code, detail: nil)
        }
        return try Self.tokens(
            answer, uid: "localId", idToken: "idToken", refreshToken: "refreshToken", lifetime: "expiresIn")
    }

    /// Gets a new ID token.
    func refresh(_ refreshToken: String) async throws(AccountsWireError) -> Tokens {
        let answer = try await call(
            "\(Self.secureToken)/v1/token",
            ["grantType": "refresh_token", "refreshToken": .string(refreshToken)])
        return try Self.tokens(
            answer, uid: "user_id", idToken: "id_token", refreshToken: "refresh_token", lifetime: "expires_in")
    }

    /// Returns whether the broker refuses a refresh token as one of a session that has ended.
    func isDead(_ refreshToken: String) async -> Bool {
        do throws(AccountsWireError) {
            _ = try await refresh(refreshToken)
            return false
        } catch {
            return error.endsSession
        }
    }

    // MARK: Accounts

    /// Returns the account of a session.
    func lookup(idToken: String) async throws(AccountsWireError) -> AccountProfile {
        let answer = try await call("\(Self.toolkit)/v1/accounts:lookup", ["idToken": .string(idToken)])
        guard let profile = AccountProfile(answer) else { throw .unreadable }
        return profile
    }

    /// Unlinks a provider.
    func unlink(_ providerID: String, idToken: String) async throws(AccountsWireError) {
        let members: JSONObject = ["idToken": .string(idToken), "deleteProvider": [.string(providerID)]]
        _ = try await call("\(Self.toolkit)/v1/accounts:update", members)
    }

    /// Revokes the user's grant at Apple, for an authorization code of this moment.
    func revoke(_ code: String, of providerID: String, idToken: String) async throws(AccountsWireError) {
        let members: JSONObject = [
            "providerId": .string(providerID), "tokenType": "CODE", "token": .string(code), "idToken": .string(idToken),
        ]
        _ = try await call("\(Self.toolkit)/v2/accounts:revokeToken", members)
    }

    /// Deletes the account of a session.
    func delete(idToken: String) async throws(AccountsWireError) {
        _ = try await call("\(Self.toolkit)/v1/accounts:delete", ["idToken": .string(idToken)])
    }

    // MARK: Requests

    /// Fetches the keys with which any server verifies ID tokens of accounts.
    func keySet() async throws(AccountsWireError) -> KeySet {
        let (status, body) = try await send(HTTPClientRequest(url: issuer + "/jwks"))
        guard status == .ok else { throw AccountsWireError(status: status, body: body) }
        guard let keys = try? KeySet(json: body) else { throw .unreadable }
        return keys
    }

    private func call(_ path: String, _ members: JSONObject) async throws(AccountsWireError) -> JSONObject {
        var request = HTTPClientRequest(url: "\(origin)/\(path)?key=\(apiKey)")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "x-ios-bundle-identifier", value: bundleID)
        request.body = .bytes(ByteBuffer(bytes: members.serialized()))
        let (status, body) = try await send(request)
        guard status == .ok else { throw AccountsWireError(status: status, body: body) }
        guard let answer = try? JSONParser.object(body, limits: JSONLimits(maximumBytes: BrokerClient.maximumBytes))
        else { throw .unreadable }
        return answer
    }

    private func send(
        _ request: HTTPClientRequest
    ) async throws(AccountsWireError) -> (HTTPResponseStatus, [UInt8]) {
        do throws(BrokerClientError) {
            return try await sender(request)
        } catch {
            throw AccountsWireError.unreachable
        }
    }

    /// Returns the provider's credential as the SDK for Apple's systems writes it: nothing is encoded, and the name,
    /// which may hold any character, is last.
    private static func postBody(_ credential: SignInSheet.Credential) -> String {
        "id_token=\(credential.idToken)&providerId=\(credential.providerID)&nonce=\(credential.rawNonce)"
            + (credential.user.map { "&user=\($0)" } ?? "")
    }

    private static func tokens(
        _ answer: JSONObject, uid: String, idToken: String, refreshToken: String, lifetime: String
    ) throws(AccountsWireError) -> Tokens {
        guard let account = answer[uid]?.text?.visibleASCII(atMost: 128),
            let token = answer[idToken]?.text?.visibleASCII(atMost: 65_536),
            let refresh = answer[refreshToken]?.text?.visibleASCII(atMost: 4096),
            let seconds = answer[lifetime]?.text?.ascii(atMost: 16).flatMap({ Int64($0) }),
            (1...86_400).contains(seconds)
        else { throw .unreadable }
        return Tokens(
            uid: account, idToken: token, refreshToken: refresh, lifetime: seconds,
            isNew: answer["isNewUser"]?.boolValue == true)
    }
}
