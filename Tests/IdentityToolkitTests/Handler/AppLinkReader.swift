// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads deep links and intents as the SDKs for iOS and Android do, from what is known of those and by another
/// decoder than the one of this server.
enum AppLinkReader {
    /// What an app reads of a result.
    struct Result: Equatable {
        var authType: String?
        var eventID: String?
        var link: String?
        var error: [String: String]?
    }

    struct Unreadable: Error {}

    /// iOS: everything in front of the query must be exactly `<scheme>://firebaseauth/link`; the value of `deep_link_id`
    /// is a URL with the result in its query.
    static func deepLink(_ text: String, scheme: String) throws -> (callback: String, result: Result) {
        guard let mark = text.range(of: "?"), text[..<mark.lowerBound] == "\(scheme)://firebaseauth/link",
            let deep = try pairs(text[mark.upperBound...], between: "&", plusIsSpace: true)["deep_link_id"],
            let inner = deep.range(of: "?")
        else { throw Unreadable() }
        let values = try pairs(deep[inner.upperBound...], between: "&", plusIsSpace: true)
        return (String(deep[..<inner.lowerBound]), try result(values))
    }

    /// Android: `intent://firebase.auth/#Intent;…;end;`, whose parts with `S.` are texts and with `B.` are true or
    /// false. A plus sign is one.
    static func intent(_ text: String) throws -> (values: [String: String], result: Result) {
        let (head, tail) = ("intent://firebase.auth/#Intent;", ";end;")
        guard text.hasPrefix(head), text.hasSuffix(tail) else { throw Unreadable() }
        let values = try pairs(text.dropFirst(head.count).dropLast(tail.count), between: ";", plusIsSpace: false)
        var extras: [String: String] = [:]
        for (name, value) in values where name.hasPrefix("S.") { extras[String(name.dropFirst(2))] = value }
        return (values, try result(extras))
    }

    private static func result(_ values: [String: String]) throws -> Result {
        var result = Result(authType: values["authType"], eventID: values["eventId"], link: values["link"])
        if let error = values["firebaseError"] {
            guard let object = try JSONSerialization.jsonObject(with: Data(error.utf8)) as? [String: String] else {
                throw Unreadable()
            }
            result.error = object
        }
        return result
    }

    /// The pairs of a query, the first one of each name.
    private static func pairs(
        _ text: Substring, between separator: Character, plusIsSpace: Bool
    ) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.split(separator: separator) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            let spaced = plusIsSpace ? value.replacingOccurrences(of: "+", with: " ") : value
            guard let decoded = spaced.removingPercentEncoding else { throw Unreadable() }
            if pairs[String(parts[0])] == nil { pairs[String(parts[0])] = decoded }
        }
        return pairs
    }
}
