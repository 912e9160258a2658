// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AccountsClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that answers as a test says, each operation in its own order, and remembers what it was asked.
actor StubExchange: Exchange {
    /// A request as it arrived.
    struct Received: Sendable {
        let operation: AccountOperation
        let query: String?
        let method: String?
        let fields: [String: String]
        let body: [String: JSONValue]
    }

    enum Answer: Sendable {
        case json(Int, String)
        case empty(Int)
        case noConnection
    }

    /// No answer was set.
    struct NoAnswer: Error {}

    private var answers: [AccountOperation: [Answer]] = [:]
    private(set) var received: [Received] = []
    private var isHeld = false
    private var heldOperation: AccountOperation?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Adds answers of an operation.
    func answer(_ operation: AccountOperation, _ new: Answer...) {
        answers[operation, default: []] += new
    }

    /// The requests of an operation, in their order.
    func requests(_ operation: AccountOperation) -> [Received] { received.filter { $0.operation == operation } }

    /// Keeps every request waiting until ``release()``.
    func hold() { isHeld = true }

    /// Keeps the requests of one operation waiting until ``release()``.
    func hold(_ operation: AccountOperation) { heldOperation = operation }

    func release() {
        isHeld = false
        heldOperation = nil
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func response(to request: URLRequest) async throws -> WireResponse {
        guard let url = request.url, let operation = AccountOperation(rawValue: url.path) else { throw NoAnswer() }
        received.append(
            Received(
                operation: operation, query: url.query, method: request.httpMethod,
                fields: request.allHTTPHeaderFields ?? [:],
                body: try JSONDecoder().decode([String: JSONValue].self, from: request.httpBody ?? Data())))
        if isHeld || heldOperation == operation { await withCheckedContinuation { waiting.append($0) } }
        guard var next = answers[operation], !next.isEmpty else { throw NoAnswer() }
        let answer = next.removeFirst()
        answers[operation] = next
        switch answer {
        case .json(let status, let text): return WireResponse(status: status, body: Data(text.utf8))
        case .empty(let status): return WireResponse(status: status, body: Data())
        case .noConnection: throw URLError(.notConnectedToInternet)
        }
    }
}

extension StubExchange.Answer {
    /// An error of the server.
    static func error(_ message: String) -> Self {
        .json(400, #"{"error":{"code":400,"message":"\#(message)","errors":[]}}"#)
    }

    /// A sign-in that succeeded.
    static func signedIn(
        uid: String = "u1", idToken: String = "id-token-1", refreshToken: String = "refresh-token-1",
        providerID: String = "apple.com"
    ) -> Self {
        .json(
            200,
            """
            {"kind":"identitytoolkit#VerifyAssertionResponse","providerId":"\(providerID)","localId":"\(uid)",
             "idToken":"\(idToken)","refreshToken":"\(refreshToken)","expiresIn":"3600","federatedId":"subject",
             "email":"ada@example.com","emailVerified":true,"displayName":"Ada","isNewUser":true,
             "rawUserInfo":"{\\"sub\\":\\"subject\\",\\"real_user_status\\":2,\\"ratio\\":0.5,\\"amr\\":[\\"pin\\"]}",
             "oauthIdToken":"provider-id-token","oauthAccessToken":"provider-access-token"}
            """)
    }

    /// An account.
    static func account(uid: String = "u1", name: String = "Ada") -> Self {
        .json(
            200,
            """
            {"kind":"identitytoolkit#GetAccountInfoResponse","users":[{"localId":"\(uid)","displayName":"\(name)",
             "email":"ada@example.com","emailVerified":true,"validSince":"1799999999","createdAt":"1799999999000",
             "lastLoginAt":"1800000000500","providerUserInfo":[{"providerId":"apple.com","rawId":"subject",
             "federatedId":"subject"}]}]}
            """)
    }

    /// A refresh that succeeded.
    static func refreshed(uid: String = "u1", idToken: String = "id-token-2") -> Self {
        .json(
            200,
            """
            {"access_token":"\(idToken)","expires_in":"3600","token_type":"Bearer",
             "refresh_token":"refresh-token-1","id_token":"\(idToken)","user_id":"\(uid)","project_id":"1"}
            """)
    }
}
