// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOHTTP1

/// The reason why the sample app could not do something with an account.
enum AccountsWireError: Error, Sendable, Hashable {
    /// The broker refused it, with a code and, for developers, a text.
    case refused(code: String, detail: String?)
    /// The email is another account's, to which these providers sign in.
    case needsConfirmation(providers: [String])
    /// Another user signed in again than the one who is signed in.
    case anotherPerson
    /// The provider gave no credential.
    case noCredential
    /// No user is signed in.
    case signedOut
    /// The broker, or the provider behind it, has a problem. It signs no user out.
    case unavailable
    /// There was no response.
    case unreachable
    /// The response could not be read.
    case unreadable

    /// The maximum length of a text in a response that is shown, in bytes.
    private static let longestText = 1024
    /// What stands between code and detail.
    private static let separator = " : "

    /// Reads the response to a request that did not succeed. Only those with status 400 and 403 carry messages: whatever
    /// the body of another one says, as that of a proxy, it does not end the session.
    init(status: HTTPResponseStatus, body: [UInt8]) {
        guard status == .badRequest || status == .forbidden else {
            self = status == .serviceUnavailable ? .unavailable : .unreadable
            return
        }
        let object = try? JSONParser.object(body, limits: JSONLimits(maximumBytes: 65_536))
        guard
            let message = object?["error"]?.objectValue?["message"]?.text?.printableASCII(atMost: Self.longestText)
        else {
            self = .unreadable
            return
        }
        let parts = message.split(separator: Self.separator, maxSplits: 1).map { String($0) }
        self = .refused(code: parts.first ?? message, detail: parts.count == 2 ? parts[1] : nil)
    }

    /// The code, as the wire or the SDKs have it; `nil` if there is none.
    var code: String? {
        switch self {
        case .refused(let code, _): code
        case .needsConfirmation: "needConfirmation"
        case .anotherPerson: "user-mismatch"
        case .noCredential, .signedOut, .unavailable, .unreachable, .unreadable: nil
        }
    }

    /// Whether the session has ended. An SDK signs the user out on these four codes, and on nothing else.
    var endsSession: Bool {
        guard case .refused(let code, _) = self else { return false }
        return ["USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED", "INVALID_ID_TOKEN"].contains(code)
    }
}
