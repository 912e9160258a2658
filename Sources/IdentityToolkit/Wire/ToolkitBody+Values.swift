// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

// The types of members, read as leniently as the SDKs write them: a number is a text too, and an enumeration is a name,
// an index, or the text of an index.
extension ToolkitBody {
    /// The maximum number of elements of an array.
    static let maximumElements = 100

    /// A text; `nil` if it is absent, `null` or empty.
    func text(_ name: ToolkitMember) throws(ToolkitError) -> WireText? {
        guard let value = try self.value(name) else { return nil }
        let text = try Self.readText(value, name)
        return text.isEmpty ? nil : text
    }

    /// A text that `null` clears; `nil` if it is absent, empty if it is `null`.
    func clearableText(_ name: ToolkitMember) throws(ToolkitError) -> WireText? {
        guard let value = try member(name) else { return nil }
        guard value != .null else { return "" }
        return try Self.readText(value, name)
    }

    /// A Boolean value; `nil` if it is absent or `null`.
    func flag(_ name: ToolkitMember) throws(ToolkitError) -> Bool? {
        guard let value = try self.value(name) else { return nil }
        switch value {
        case .bool(let flag): return flag
        case .text(let text) where text.hasSameBytes(asASCII: "true"): return true
        case .text(let text) where text.hasSameBytes(asASCII: "false"): return false
        default: throw Self.wrong(name, "true or false")
        }
    }

    /// A value of an enumeration, whose cases stand in the order of their indices; `nil` if it is absent or `null`.
    func choice<Choice: RegisteredName>(
        _ name: ToolkitMember, of type: Choice.Type
    ) throws(ToolkitError) -> Choice? {
        guard let value = try self.value(name) else { return nil }
        return try Self.readChoice(value, name, of: type)
    }

    /// An array of values of an enumeration; empty if it is absent or `null`.
    func choices<Choice: RegisteredName>(
        _ name: ToolkitMember, of type: Choice.Type
    ) throws(ToolkitError) -> [Choice] {
        var choices: [Choice] = []
        for element in try elements(name) { choices.append(try Self.readChoice(element, name, of: type)) }
        return choices
    }

    /// An array of texts; empty if it is absent or `null`.
    /// - Parameter maximum: The maximum number of elements.
    func texts(
        _ name: ToolkitMember, atMost maximum: Int = ToolkitBody.maximumElements
    ) throws(ToolkitError) -> [WireText] {
        var texts: [WireText] = []
        for element in try elements(name, atMost: maximum) { texts.append(try Self.readText(element, name)) }
        return texts
    }

    /// An array of objects; empty if it is absent or `null`.
    func objects(_ name: ToolkitMember) throws(ToolkitError) -> [ToolkitBody] {
        var objects: [ToolkitBody] = []
        for element in try elements(name) {
            guard let object = element.objectValue else { throw Self.wrong(name, "an array of objects") }
            objects.append(ToolkitBody(object))
        }
        return objects
    }

    /// The ID token of the session that asks; `nil` if there is none.
    func sessionToken() throws(ToolkitError) -> String? {
        guard let text = try self.text(.idToken) else { return nil }
        guard let token = text.visibleASCII(atMost: AccountTokens.maximumLength) else {
            throw ToolkitError(.invalidIDToken, "idToken is not an ID token.")
        }
        return token
    }

    /// The ID token of the session that asks, without which there is nothing to do.
    func requiredSessionToken() throws(ToolkitError) -> String {
        guard let token = try sessionToken() else { throw ToolkitError(.missingIDToken) }
        return token
    }

    // MARK: Values

    private func elements(
        _ name: ToolkitMember, atMost maximum: Int = ToolkitBody.maximumElements
    ) throws(ToolkitError) -> [JSONValue] {
        guard let value = try self.value(name) else { return [] }
        guard let elements = value.arrayValue, elements.count <= maximum else {
            throw Self.wrong(name, "an array of at most \(maximum) elements")
        }
        return elements
    }

    private static func readText(_ value: JSONValue, _ name: ToolkitMember) throws(ToolkitError) -> WireText {
        switch value {
        case .text(let text): return text
        case .number:
            // As it was spelled, since a number may have more digits than any type of ours.
            guard let text = WireText(utf8: value.serialized()[...]) else { throw wrong(name, "a text") }
            return text
        default: throw wrong(name, "a text")
        }
    }

    private static func readChoice<Choice: RegisteredName>(
        _ value: JSONValue, _ name: ToolkitMember, of type: Choice.Type
    ) throws(ToolkitError) -> Choice {
        let text = try readText(value, name)
        if let choice = Choice(wire: text) { return choice }
        guard let digits = text.ascii(atMost: 3), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let index = Int(digits), let choice = Choice.allCases.dropFirst(index).first
        else { throw wrong(name, "one of its names") }
        return choice
    }

    private static func wrong(_ name: ToolkitMember, _ expected: String) -> ToolkitError {
        ToolkitError(.invalidArgument, "\(name.camelCase) must be \(expected).")
    }
}
