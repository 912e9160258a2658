// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sign-in in a browser: the page that begins it, and what the link at its end says. It is that of Firebase's SDK for
/// Apple's systems.
struct BrowserSignIn: Sendable {
    /// The longest link that is read, in bytes.
    static let longestLink = 8192
    private static let authType = "signInWithRedirect"

    /// The page that begins it.
    let page: URL
    /// The link that ends it.
    let link: AppLink
    private let providerID: String
    private let sessionID: SessionID
    private let eventID: String

    /// - Parameters:
    ///   - provider: The provider, with what it is asked for.
    ///   - server: The server, with what names the app there.
    ///   - sessionID: What the result is bound to.
    ///   - eventID: What the link of this sign-in is known by.
    /// - Throws: ``AccountsError`` if the app is not named.
    init(
        _ provider: OAuthProvider, at server: AccountServer, boundTo sessionID: SessionID,
        eventID: String = UUID().uuidString
    ) throws {
        guard let link = server.appLink, let bundleID = server.bundleID else {
            throw AccountsError(.invalidArgument, message: "Sign-in in a browser needs an appID and a bundle ID.")
        }
        var pairs = [
            ("authType", Self.authType), ("providerId", provider.providerID), ("sessionId", sessionID.hashed),
            ("eventId", eventID), ("ibi", bundleID), (link.parameter, link.id),
        ]
        if !provider.scopes.isEmpty { pairs.append(("scopes", provider.scopes.joined(separator: ","))) }
        if !provider.customParameters.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            guard let json = try? encoder.encode(provider.customParameters),
                let text = String(data: json, encoding: .utf8)
            else { throw AccountsError(.invalidArgument) }
            pairs.append(("customParameters", text))
        }
        page = try server.page(pairs)
        self.link = link
        providerID = provider.providerID
        self.sessionID = sessionID
        self.eventID = eventID
    }

    /// Reads the link.
    /// - Throws: ``AccountsError`` for the error in it, or if it is not the link of this sign-in: any page in the browser
    ///   may open one.
    func credential(of received: URL) throws -> Credential {
        let text = received.absoluteString
        guard text.utf8.count <= Self.longestLink,
            text.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual(link.front.utf8),
            let callback = Self.value("deep_link_id", in: text),
            Self.value("authType", in: callback)?.utf8.elementsEqual(Self.authType.utf8) == true,
            Self.value("eventId", in: callback)?.utf8.elementsEqual(eventID.utf8) == true
        else { throw AccountsError(.unexpectedResponse) }
        if let ticket = Self.value("link", in: callback) {
            return Credential(providerID: providerID, ticket: ticket, sessionID: sessionID.raw)
        }
        throw AccountsError(event: Self.value("firebaseError", in: callback) ?? "")
    }

    /// Returns the first value of a name in the query of a URL, which is encoded as a form.
    private static func value(_ name: String, in url: String) -> String? {
        guard var components = URLComponents(string: url) else { return nil }
        components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%20")
        return components.queryItems?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
