// SPDX-License-Identifier: Apache-2.0

/// A key of the configuration, declared once. Reading, errors, unknown keys and the tables of the documentation all
/// follow from the declaration.
package struct Setting<Section: Sendable>: Sendable {
    /// A member of the section.
    package typealias Member = any PartialKeyPath<Section> & Sendable

    /// The key, without what the keys of its section begin with.
    package let key: String
    /// The member that the value goes to.
    package let member: Member
    /// Whether the value is a secret: it is refused on the command line and stands in no error.
    package let isSecret: Bool
    /// Whether the key has a variant that ends in `-file` and names a file to read the value from.
    package let hasFileVariant: Bool
    /// What is said of the key, and required of its value; of several the last that applies to a section.
    private var declarations: [Declaration]
    /// The sections that have the key; `nil` if all of them have.
    private var availability: Availability?
    /// The members of which this one is a part.
    private var wholes: [Member] = []
    private let readValue: @Sendable (inout Section, String, inout ConfigurationValues) async -> Bool
    private let hasSameValue: @Sendable (Section, Section) -> Bool

    /// What is said of a key for the sections that it applies to.
    struct Declaration: Sendable {
        let applies: @Sendable (Section) -> Bool
        /// The meaning, for the tables: a phrase without a full stop.
        let meaning: String
        /// The default as the tables show it.
        let defaultText: @Sendable (Section) -> String
        /// What the key takes; completes the sentence "expected …".
        let takes: String
        /// What was expected if the section's value is out of bounds; `nil` if it is not.
        let error: @Sendable (Section) -> String?
    }

    private struct Availability: Sendable {
        let isAvailable: @Sendable (Section) -> Bool
        let otherwise: String
    }

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - key: the key, without what the keys of its section begin with.
    ///   - member: where the value goes. What it holds before is the default.
    ///   - type: how the value is read.
    ///   - meaning: what the key is for: a phrase without a full stop.
    ///   - defaultText: the default as the tables show it, if it is not the value in a section that was just made.
    ///   - bounds: what values are accepted.
    package init<Value>(
        _ key: String, _ member: any WritableKeyPath<Section, Value> & Sendable, _ type: SettingType<Value>,
        _ meaning: String, default defaultText: String? = nil, bounds: SettingBounds<Value>? = nil
    ) {
        self.init(
            key, member, type, meaning, defaultText: defaultText, bounds: bounds,
            get: { $0[keyPath: member] }, set: { $0[keyPath: member] = $1 })
    }

    /// Declares a key without which the member is `nil`.
    package init<Value>(
        _ key: String, _ member: any WritableKeyPath<Section, Value?> & Sendable, _ type: SettingType<Value>,
        _ meaning: String, default defaultText: String? = nil, bounds: SettingBounds<Value>? = nil
    ) {
        self.init(
            key, member, type, meaning, defaultText: defaultText, bounds: bounds,
            get: { $0[keyPath: member] }, set: { $0[keyPath: member] = $1 })
    }

    private init<Value>(
        _ key: String, _ member: Member, _ type: SettingType<Value>, _ meaning: String, defaultText: String?,
        bounds: SettingBounds<Value>?, get: @escaping @Sendable (Section) -> Value?,
        set: @escaping @Sendable (inout Section, Value) -> Void
    ) {
        self.key = key
        self.member = member
        isSecret = type.isSecret
        hasFileVariant = type.hasFileVariant
        declarations = [
            Declaration(
                applies: { _ in true }, meaning: meaning,
                defaultText: { section in defaultText ?? get(section).map(type.show) ?? "none" },
                takes: bounds?.expected ?? type.takes,
                error: { section in
                    guard let bounds, let value = get(section), !bounds.hold(value) else { return nil }
                    return bounds.expected
                })
        ]
        readValue = { section, key, values in
            guard let value = await type.read(key, bounds?.expected ?? type.takes, &values) else { return false }
            set(&section, value)
            return true
        }
        hasSameValue = { get($0) == get($1) }
    }

    /// The same key, of which something else is said for the sections that the closure returns `true` for.
    package func when(
        _ applies: @escaping @Sendable (Section) -> Bool, _ meaning: String? = nil, default defaultText: String? = nil,
        takes: String? = nil, error: (@Sendable (Section) -> String?)? = nil
    ) -> Self {
        var setting = self
        let usual = declarations[0]
        setting.declarations.append(
            Declaration(
                applies: applies, meaning: meaning ?? usual.meaning,
                defaultText: { section in defaultText ?? usual.defaultText(section) }, takes: takes ?? usual.takes,
                error: error ?? usual.error))
        return setting
    }

    /// The same key with a check that needs more of the section than the value.
    package func check(takes: String? = nil, _ error: @escaping @Sendable (Section) -> String?) -> Self {
        when({ _ in true }, takes: takes, error: error)
    }

    /// The same key, which only the sections have that the closure returns `true` for. In others it is refused.
    package func only(where isAvailable: @escaping @Sendable (Section) -> Bool, otherwise: String) -> Self {
        var setting = self
        setting.availability = Availability(isAvailable: isAvailable, otherwise: otherwise)
        return setting
    }

    /// The same key, whose member is a part of another.
    package func part(of whole: Member) -> Self {
        var setting = self
        setting.wholes.append(whole)
        return setting
    }

    /// Whether an error in that member is one in this key.
    func isAbout(_ member: PartialKeyPath<Section>) -> Bool {
        self.member as PartialKeyPath == member || wholes.contains { $0 as PartialKeyPath == member }
    }

    /// What is said of the key for a section.
    func declaration(for section: Section) -> Declaration {
        declarations.last { $0.applies(section) } ?? declarations[0]
    }

    /// What was expected of a section that does not have the key; `nil` if it has.
    func refusal(in section: Section) -> String? {
        availability.flatMap { $0.isAvailable(section) ? nil : $0.otherwise }
    }

    /// Whether the member has the same value in both.
    func isSame(in first: Section, and second: Section) -> Bool { hasSameValue(first, second) }

    /// Reads the value into the section.
    /// - Returns: whether there is one.
    func read(_ section: inout Section, key: String, from values: inout ConfigurationValues) async -> Bool {
        await readValue(&section, key, &values)
    }
}
