// SPDX-License-Identifier: Apache-2.0

/// The settings of a section, as the documentation and the sources of a configuration need them: without the section's
/// type.
package struct SettingsTable: Sendable {
    /// A setting of the table.
    package struct Row: Sendable, Hashable {
        /// The key, without the table's prefix.
        package let key: String
        /// What it is.
        package let meaning: String
        /// What the key takes.
        package let takes: String
        /// The default, in Markdown.
        package let defaultText: String
        /// Whether the value is a secret.
        package let isSecret: Bool
        /// Whether there is a variant with `-file`.
        package let hasFileVariant: Bool
    }

    /// What the settings are of, such as `the broker`: marks the place in the documentation.
    package let title: String
    /// What the keys begin with; a name that is chosen is in angle brackets.
    package let prefix: String
    /// The settings, in the order in which they are read.
    package private(set) var rows: [Row]

    /// A table of the settings that a section has.
    /// - Parameter section: one that was just made; its values are the defaults.
    package init<Section: SettingSection>(_ title: String, prefix: String, _ section: Section) {
        self.title = title
        self.prefix = prefix
        rows = Section.settings.filter { $0.refusal(in: section) == nil }.map { setting in
            let declaration = setting.declaration(for: section)
            return Row(
                key: setting.key, meaning: declaration.meaning, takes: declaration.takes,
                defaultText: declaration.defaultText(section), isSecret: setting.isSecret,
                hasFileVariant: setting.hasFileVariant)
        }
    }

    /// This table and the rows of another.
    package static func + (first: SettingsTable, second: SettingsTable) -> SettingsTable {
        var sum = first
        sum.rows += second.rows
        return sum
    }

    /// The table in Markdown. Keys with a name in them are shown without what all of them begin with.
    package var markdown: String {
        let shownPrefix = prefix.contains("<") ? "" : prefix
        let lines = rows.map { row in
            let cells = [
                "`\(shownPrefix)\(row.key)`", row.meaning, row.takes, row.defaultText,
                row.isSecret ? "**secret**, `-file`" : row.hasFileVariant ? "`-file`" : "",
            ]
            return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        return """
            | key | what it is | takes | default | |
            | --- | --- | --- | --- | --- |
            \(lines.joined(separator: "\n"))

            """
    }
}

extension BrokerConfiguration {
    /// The keys under `auth.`, a table for each section.
    package static var settingsTables: [SettingsTable] {
        let name = "<name>"
        let oidc = Provider(name: name, unknown: .oidc)
        let apple = Provider(name: name, unknown: .apple)
        return [
            SettingsTable("the broker", prefix: prefix, unknown),
            SettingsTable("the webhook", prefix: Webhook.prefix, Webhook.unknown),
            SettingsTable("a provider", prefix: oidc.prefix, oidc)
                + SettingsTable("", prefix: oidc.prefix, oidc.configuration),
            SettingsTable("a provider of kind apple", prefix: apple.prefix, apple)
                + SettingsTable("", prefix: apple.prefix, apple.configuration)
                + SettingsTable("", prefix: apple.prefix, AppleProvider(clientID: "")),
            SettingsTable("an app", prefix: App(unknown: name).prefix, App(unknown: name)),
        ]
    }

    /// The keys of secrets, apart from what they begin with; a name is left out at the end of that.
    package static var secretKeys: [(prefix: String, key: String)] {
        settingsTables.flatMap { table in
            let prefix = String(table.prefix.prefix { $0 != "<" })
            return table.rows.filter(\.isSecret).map { (prefix: prefix, key: $0.key) }
        }
    }
}
