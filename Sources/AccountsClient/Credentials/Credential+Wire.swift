// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Credential {
    /// The member `postBody` of a request; `nil` for a `pendingToken`.
    var postBody: String? {
        if ticket != nil { return "providerId=" + PercentEncoding.encode(providerID) }
        guard case .token(let token) = content else { return nil }
        let pairs: [(name: String, value: String?)] = [
            ("id_token", token.idToken.exposed),
            ("access_token", token.accessToken?.exposed),
            ("providerId", providerID),
            ("nonce", token.rawNonce?.exposed),
            ("user", token.user?.exposed),
        ]
        return pairs.compactMap { pair in pair.value.map { pair.name + "=" + PercentEncoding.encode($0) } }
            .joined(separator: "&")
    }

    /// The member `pendingToken` of a request; `nil` for an ID token of a provider.
    var pendingToken: String? {
        guard case .pending(let token) = content else { return nil }
        return token.exposed
    }

    /// What a request has instead of a token of the provider; `nil` unless the user signed in in a browser.
    var ticket: Ticket? {
        guard case .ticket(let ticket) = content else { return nil }
        return ticket
    }
}

/// The name of a user, in the form in which Apple gives it to websites.
struct AppleUser: Encodable {
    struct Name: Encodable {
        let firstName: String?
        let lastName: String?
    }

    let name: Name

    /// `nil` if there is no name.
    init?(_ components: PersonNameComponents) {
        let (first, last) = (components.givenName ?? "", components.familyName ?? "")
        guard !first.isEmpty || !last.isEmpty else { return nil }
        name = Name(firstName: first.isEmpty ? nil : first, lastName: last.isEmpty ? nil : last)
    }

    var json: HiddenText? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), let text = String(data: data, encoding: .utf8) else { return nil }
        return HiddenText(text)
    }
}
