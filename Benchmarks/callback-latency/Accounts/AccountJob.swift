// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// One request of a load on accounts, written before the load, and what its response must be.
struct AccountJob: Sendable {
    let request: UserRequest
    let expectation: AccountExpectation
    /// The number of the user.
    let person: Int
}

/// A user who has an account.
struct AccountPerson: Sendable {
    let number: Int
    /// What the first sign-in returned.
    let session: AccountReply

    var uid: String { session.uid }
}

/// The jobs of an app.
struct AccountJobs: Sendable {
    let wire: AccountWire
    let mint: NativeTokenMint

    private static let fields = [
        HTTP1Message.Field(name: "content-type", value: "application/json"),
        HTTP1Message.Field(name: "accept", value: "*/*"),
        HTTP1Message.Field(name: "x-client-version", value: "iOS/FirebaseSDK/12.6.0/FirebaseCore-iOS"),
        HTTP1Message.Field(name: "x-ios-bundle-identifier", value: AccountsSetup.nativeAudience),
        HTTP1Message.Field(name: "user-agent", value: "FirebaseAuth.iOS/12.6.0 (callback-latency)"),
    ]

    /// A sign-in of a user, with a new ID token of the provider.
    ///
    /// - Parameters:
    ///   - number: The number of the user.
    ///   - uid: Their account; `nil` if they have none yet.
    ///   - spoiling: The error in the token, for which the sign-in must be refused; `nil` for none.
    func signIn(_ number: Int, uid: String?, spoiling: Spoiling? = nil) throws -> AccountJob {
        let token = try mint.token(of: number, spoiling: spoiling)
        let expectation: AccountExpectation =
            if spoiling != nil {
                .refusal
            } else if let uid {
                .account(uid: uid, subject: token.subject)
            } else {
                .newAccount(subject: token.subject)
            }
        return job(wire.signIn(idToken: token.idToken, rawNonce: token.rawNonce), expectation, number)
    }

    /// A lookup with the ID token of a session.
    func lookup(_ session: AccountReply, of person: Int) throws -> AccountJob {
        guard let idToken = session.idToken else { throw LatencyToolError("a session without an ID token") }
        return lookup(idToken: idToken, .profile(uid: session.uid), person)
    }

    /// A lookup with any ID token.
    func lookup(idToken: String, _ expectation: AccountExpectation, _ person: Int) -> AccountJob {
        job(wire.lookup(idToken: idToken), expectation, person)
    }

    /// A refresh of a session.
    func refresh(_ session: AccountReply, of person: Int) throws -> AccountJob {
        guard let refreshToken = session.refreshToken else {
            throw LatencyToolError("a session without a refresh token")
        }
        return job(
            wire.refresh(refreshToken: refreshToken), .tokens(uid: session.uid, refreshToken: refreshToken), person)
    }

    private func job(
        _ request: AccountWire.Request, _ expectation: AccountExpectation, _ person: Int
    ) -> AccountJob {
        AccountJob(
            request: UserRequest(
                method: "POST", target: request.target, fields: Self.fields, cookie: nil, body: request.body),
            expectation: expectation, person: person)
    }
}
