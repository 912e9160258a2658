// SPDX-License-Identifier: Apache-2.0

/// A key of the configuration, which is declared once. Reading, errors, unknown keys and the tables of the
/// documentation are derived from the declaration.
package struct Setting<Section: Sendable>: Sendable {
    /// A member of the section.
    package typealias Member = any PartialKeyPath<Section> & Sendable

    /// The key without the prefix of its section.
    package let key: String
    /// The member that holds the value.
    package let member: Member
    /// Whether the value is a secret, which is refused on the command line and is not part of any error.
    package let isSecret: Bool
    /// Whether the key has a variant with the suffix `-file`, which names a file to read the value from.
    package let hasFileVariant: Bool
    /// Whether a change of the value needs a restart.
    package private(set) var isFixedWhileRunning = false
    /// The declarations of the key. The last one that applies to a section is used.
    private var declarations: [Declaration]
    /// The condition on which a section has the key; `nil` if all sections have it.
    private var availability: Availability?
    /// The members that contain this one.
    private var wholes: [Member] = []
    private let readValue: @Sendable (inout Section, String, inout ConfigurationValues) async -> Bool
    private let hasSameValue: @Sendable (Section, Section) -> Bool
    private let copyValue: @Sendable (_ source: Section, _ target: inout Section) -> Void

    /// A declaration of a key for the sections that it applies to.
    struct Declaration: Sendable {
        package let applies: @Sendable (Section) -> Bool
        /// The meaning in the tables, which is a phrase without a full stop.
        let meaning: String
        /// The default in the tables.
        let defaultText: @Sendable (Section) -> String
        /// A description of the accepted values. It completes the sentence "expected …".
        package let takes: String
        /// A description of what was expected if the value of a section is out of bounds; `nil` if it is not.
        package let error: @Sendable (Section) -> String?
    }

    private struct Availability: Sendable {
        let isAvailable: @Sendable (Section) -> Bool
        let otherwise: String
    }

    /// Declares a key.
    ///
    /// - Parameters:
    ///   - key: The key without the prefix of its section.
    ///   - member: The member that holds the value. Its initial value is the default.
    ///   - type: The type of the value.
    ///   - meaning: The meaning of the key, which is a phrase without a full stop.
    ///   - defaultText: The default in the tables; `nil` for the value in a new section.
    ///   - bounds: The accepted values.
    package init<Value>(
        _ key: String, _ member: any WritableKeyPath<Section, Value> & Sendable, _ type: SettingType<Value>,
        _ meaning: String, default defaultText: String? = nil, bounds: SettingBounds<Value>? = nil
    ) {
        self.init(
            key, member, type, meaning, defaultText: defaultText, bounds: bounds,
            get: { $0[keyPath: member] }, set: { $0[keyPath: member] = $1 },
            copy: { $1[keyPath: member] = $0[keyPath: member] })
    }

    /// Declares a key whose member is `nil` if the key is missing.
    package init<Value>(
        _ key: String, _ member: any WritableKeyPath<Section, Value?> & Sendable, _ type: SettingType<Value>,
        _ meaning: String, default defaultText: String? = nil, bounds: SettingBounds<Value>? = nil
    ) {
        self.init(
            key, member, type, meaning, defaultText: defaultText, bounds: bounds,
            get: { $0[keyPath: member] }, set: { $0[keyPath: member] = $1 },
            copy: { $1[keyPath: member] = $0[keyPath: member] })
    }

    private init<Value>(
        _ key: String, _ member: Member, _ type: SettingType<Value>, _ meaning: String, defaultText: String?,
        bounds: SettingBounds<Value>?, get: @escaping @Sendable (Section) -> Value?,
        set: @escaping @Sendable (inout Section, Value) -> Void,
        copy: @escaping @Sendable (_ source: Section, _ target: inout Section) -> Void
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
                    guard let bounds, let value = get(section) else { return nil }
                    return bounds.error(value)
                })
        ]
        readValue = { section, key, values in
            guard let value = await type.read(key, bounds?.expected ?? type.takes, &values) else { return false }
            set(&section, value)
            return true
        }
        hasSameValue = { get($0) == get($1) }
        copyValue = copy
    }

    /// Returns the same key with another declaration for the sections for which a closure returns `true`.
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

    /// Returns the same key with a check that needs other members of the section as well.
    package func check(takes: String? = nil, _ error: @escaping @Sendable (Section) -> String?) -> Self {
        when({ _ in true }, takes: takes, error: error)
    }

    /// Returns the same key for the sections for which a closure returns `true`. In other sections it is refused.
    package func only(where isAvailable: @escaping @Sendable (Section) -> Bool, otherwise: String) -> Self {
        var setting = self
        setting.availability = Availability(isAvailable: isAvailable, otherwise: otherwise)
        return setting
    }

    /// Returns the same key, whose member is a part of another one.
    package func part(of whole: Member) -> Self {
        var setting = self
        setting.wholes.append(whole)
        return setting
    }

    /// Returns the same key, whose value is read at the start only: a change of it needs a restart.
    package func fixedWhileRunning() -> Self {
        var setting = self
        setting.isFixedWhileRunning = true
        return setting
    }

    /// Returns whether an error in a member is an error in this key.
    func isAbout(_ member: PartialKeyPath<Section>) -> Bool {
        self.member as PartialKeyPath == member || wholes.contains { $0 as PartialKeyPath == member }
    }

    /// Returns the declaration of the key for a section.
    func declaration(for section: Section) -> Declaration {
        declarations.last { $0.applies(section) } ?? declarations[0]
    }

    /// Returns the error text for a section that does not have the key; `nil` if it has the key.
    package func refusal(in section: Section) -> String? {
        availability.flatMap { $0.isAvailable(section) ? nil : $0.otherwise }
    }

    /// Returns whether the member has the same value in both sections.
    package func isSame(in first: Section, and second: Section) -> Bool { hasSameValue(first, second) }

    /// Copies the value from one section to another.
    package func copy(from source: Section, to target: inout Section) { copyValue(source, &target) }

    /// Reads the value into the section.
    /// - Returns: Whether there is a value.
    package func read(_ section: inout Section, key: String, from values: inout ConfigurationValues) async -> Bool {
        await readValue(&section, key, &values)
    }
}
