// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What the response to an operation on accounts must be for the operation to count.
package enum AccountExpectation: Sendable, Hashable {
    /// A sign-in of a user who has no account yet, by the subject at the provider.
    case newAccount(subject: String)
    /// A sign-in of a user who has an account.
    case account(uid: String, subject: String)
    /// The profile of an account.
    case profile(uid: String)
    /// New tokens of an account, with the refresh token that was sent.
    case tokens(uid: String, refreshToken: String)
    /// A refusal, since the request has a wrong credential.
    case refusal

    /// Reads a response. The signature of the ID token in it is not verified: see ``AccountTokenCheck``.
    ///
    /// - Throws: ``AccountFault`` if the response is not as expected.
    package func reply(in response: TargetResponse) throws(AccountFault) -> AccountReply {
        guard self != .refusal else {
            guard response.status != 200 else { throw .accepted }
            guard response.status == 400 else { throw Self.fault(of: response) }
            return AccountReply(uid: "")
        }
        guard response.status == 200 else { throw Self.fault(of: response) }
        guard let body = Self.object(response.body) else { throw AccountFault("no JSON object") }
        switch self {
        case .refusal:
            throw .accepted
        case .newAccount(let subject):
            guard body["isNewUser"]?.boolValue == true else { throw AccountFault("not isNewUser") }
            return try Self.signedIn(body, subject: subject)
        case .account(let uid, let subject):
            // The SDKs take any value of it for that of a new account.
            guard body["isNewUser"] == nil else { throw AccountFault("isNewUser of a known user") }
            let reply = try Self.signedIn(body, subject: subject)
            guard reply.uid == uid else { throw AccountFault("another account") }
            return reply
        case .profile(let uid):
            guard let users = body["users"]?.arrayValue, users.count == 1, let user = users[0].objectValue else {
                throw AccountFault("not exactly one account")
            }
            guard Self.text("localId", in: user) == uid else { throw AccountFault("another account") }
            return AccountReply(uid: uid)
        case .tokens(let uid, let refreshToken):
            guard Self.text("user_id", in: body) == uid else { throw AccountFault("another account") }
            guard Self.text("refresh_token", in: body) == refreshToken else {
                throw AccountFault("another refresh token")
            }
            guard let idToken = Self.text("id_token", in: body), Self.text("access_token", in: body) == idToken else {
                throw AccountFault("no ID token")
            }
            return AccountReply(uid: uid, idToken: idToken, refreshToken: refreshToken)
        }
    }

    private static func signedIn(_ body: JSONObject, subject: String) throws(AccountFault) -> AccountReply {
        guard let uid = text("localId", in: body), !uid.isEmpty else { throw AccountFault("no account") }
        guard text("federatedId", in: body) == subject else { throw AccountFault("another subject") }
        guard let idToken = text("idToken", in: body) else { throw AccountFault("no ID token") }
        guard let refreshToken = text("refreshToken", in: body), !refreshToken.isEmpty else {
            throw AccountFault("no refresh token")
        }
        return AccountReply(uid: uid, idToken: idToken, refreshToken: refreshToken)
    }

    /// The status, with the code of the error if there is one.
    private static func fault(of response: TargetResponse) -> AccountFault {
        let message = object(response.body)?["error"]?.objectValue?["message"]?.text?.ascii(atMost: 1024) ?? ""
        let code = String(Substring(message.utf8.prefix { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }))
        return AccountFault("status \(response.status)" + (code.utf8.count > 1 ? " \(code)" : ""))
    }

    private static func text(_ name: String, in object: JSONObject) -> String? {
        object[name]?.text?.visibleASCII(atMost: JSONWebSignature.longestToken)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 20))
    }
}
