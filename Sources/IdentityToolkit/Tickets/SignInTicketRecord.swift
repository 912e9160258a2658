// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What a ticket stands for: a verified sign-in that an app may redeem once. Printing shows nothing of it.
struct SignInTicketRecord: Sendable, Unprinted {
    /// The format: the first byte. Another version of the server refuses what it does not know.
    private static let format: UInt8 = 1

    /// The name of the app that may redeem the ticket.
    let app: String
    /// What the sign-in was begun for.
    let authType: AuthType
    /// What the ticket is bound to.
    let binding: SessionBinding
    /// The verified sign-in.
    let credential: PendingCredential

    init(app: String, authType: AuthType, binding: SessionBinding, credential: PendingCredential) {
        self.app = app
        self.authType = authType
        self.binding = binding
        self.credential = credential
    }

    /// The record without the profile that the account does not need.
    var withoutProfile: SignInTicketRecord {
        SignInTicketRecord(app: app, authType: authType, binding: binding, credential: credential.withoutProfile)
    }

    /// The format, and the text of a JSON object behind it.
    var encoded: [UInt8] {
        let object: JSONObject = [
            "app": .string(app),
            "type": .string(authType.rawValue),
            "binding": .string(Base64URL.encode(binding.bytes)),
            "credential": .object(credential.members),
        ]
        return [Self.format] + object.serialized()
    }

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    init?(encoded: [UInt8]) {
        guard encoded.first == Self.format,
            let object = JSONObjectText(bytes: Array(encoded.dropFirst()))?.object,
            let app = object["app"]?.text?.visibleASCII(atMost: SignInTicket.longestApp),
            let authType = object["type"]?.text.flatMap({ AuthType(wire: $0) }),
            let binding = object["binding"]?.text.flatMap({ SessionBinding(challenge: $0) }),
            let credential = object["credential"]?.objectValue.flatMap({ PendingCredential(members: $0) })
        else { return nil }
        self.init(app: app, authType: authType, binding: binding, credential: credential)
    }
}
