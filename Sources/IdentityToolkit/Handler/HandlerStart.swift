// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A start at the handler page, read and compared to the configuration of its app. What its provider allows is compared
/// by ``parameters(languageAs:isAllowed:)`` and ``additionalScopes(beyond:allowed:)``.
struct HandlerStart: Sendable {
    /// A parameter for the provider.
    typealias CustomParameter = (name: String, value: String)

    /// The maximum length of `eventId`, in bytes. The SDK for JavaScript sends the user's `uid` and 13 further bytes; the
    /// `uid` of an imported account has at most 384.
    static let longestEventID = 400
    /// The maximum length of `sessionId`, in bytes.
    static let longestSessionID = 512
    /// The maximum length of `customParameters`, in bytes: 4 KB.
    static let longestCustomParameters = 4096
    /// The maximum length of `scopes`, in bytes.
    static let longestScopes = 1024
    /// The maximum length of `hl`, in bytes (RFC 5646 section 4.4.1).
    static let longestLanguage = 35

    /// What the start is for, and where its result goes.
    let target: HandlerEventTarget
    /// What the result is bound to; `nil` for a page, which sends nothing at the start.
    let binding: SessionBinding?
    /// The `customParameters`, which the provider may not allow.
    let customParameters: [CustomParameter]
    /// The `scopes`, each once, which the provider may not allow.
    let scopes: [String]
    /// The language of the user, a tag of RFC 5646; `nil` if it is not known.
    let language: String?

    var authType: AuthType { target.authType }
    var destination: HandlerDestination { target.destination }
    var eventID: WireText? { target.eventID }

    /// Reads the rest of a start.
    /// - Parameters:
    ///   - query: The query.
    ///   - target: What it says about where its result goes.
    /// - Throws: The first parameter at fault.
    init(_ query: HandlerQuery, to target: HandlerEventTarget) throws(HandlerStartError) {
        self.target = target
        guard query[.tenant] == nil else { throw HandlerStartError(.unsupported, .tenant) }
        if target.authType.delivery == .app {
            // Without it no app could redeem the result.
            _ = try query.required(.sessionID)
        } else if query[.sessionID] != nil {
            // A page has none; one from elsewhere would bind the result to a browser that did not ask.
            throw HandlerStartError(.unsupported, .sessionID)
        }
        binding = try query.value(.sessionID, atMost: Self.longestSessionID).map { SessionBinding(startedWith: $0) }
        customParameters = try Self.customParameters(query)
        scopes = try Self.scopes(query)
        language = try Self.language(query)
    }

    // MARK: Parts

    private static func customParameters(_ query: HandlerQuery) throws(HandlerStartError) -> [CustomParameter] {
        guard let text = try query.value(.customParameters, atMost: longestCustomParameters) else { return [] }
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONParser.object(
                Array(text.utf8), limits: JSONLimits(maximumBytes: longestCustomParameters, maximumDepth: 1))
        } catch {
            throw HandlerStartError(.invalid, .customParameters)
        }
        var parameters: [CustomParameter] = []
        for member in object.members {
            guard let name = member.name.visibleASCII(atMost: HandlerStartError.longestMember), !name.isEmpty else {
                throw HandlerStartError(.invalid, .customParameters)
            }
            // A page that has no value for one, such as the email of a user who is not known yet.
            if member.value == .null { continue }
            guard let value = member.value.text, !value.hasControlCharacters else {
                throw HandlerStartError(.invalid, .customParameters, member: name)
            }
            parameters.append((name: name, value: value.makeString()))
        }
        return parameters
    }

    /// The scopes between commas. Empty ones are passed over: the SDK for iOS begins its list with one.
    private static func scopes(_ query: HandlerQuery) throws(HandlerStartError) -> [String] {
        guard let text = try query.value(.scopes, atMost: longestScopes) else { return [] }
        guard let list = text.visibleASCII(atMost: longestScopes) else { throw HandlerStartError(.invalid, .scopes) }
        var scopes: [String] = []
        for part in list.utf8.split(separator: UInt8(ascii: ",")) {
            let scope = String(Substring(part))
            // RFC 6749 section 3.3.
            guard part.allSatisfy({ $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                throw HandlerStartError(.invalid, .scopes)
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        return scopes
    }

    private static func language(_ query: HandlerQuery) throws(HandlerStartError) -> String? {
        guard let text = try query.value(.language, atMost: longestLanguage) else { return nil }
        guard let tag = text.visibleASCII(atMost: longestLanguage), tag.utf8.allSatisfy(isTagByte) else {
            throw HandlerStartError(.invalid, .language)
        }
        return tag
    }

    /// Whether a byte may be in the tag of a language. Some systems write `_` for `-`.
    private static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
