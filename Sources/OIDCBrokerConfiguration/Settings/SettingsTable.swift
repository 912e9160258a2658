// SPDX-License-Identifier: Apache-2.0

/// The settings of a section, without the type of the section, for the documentation and the sources of the
/// configuration.
package struct SettingsTable: Sendable {
    /// A row of the table, which is one setting.
    package struct Row: Sendable, Hashable {
        /// The key without the prefix of the table.
        package let key: String
        /// The meaning of the key.
        package let meaning: String
        /// A description of the accepted values.
        package let takes: String
        /// The default, in Markdown.
        package let defaultText: String
        /// Whether the value is a secret.
        package let isSecret: Bool
        /// Whether there is a `-file` variant.
        package let hasFileVariant: Bool
        /// Whether a change of the value needs a restart.
        package let isFixedWhileRunning: Bool

        /// The last cell in Markdown.
        package var notes: String {
            let file = isSecret ? "**secret**, `-file`" : hasFileVariant ? "`-file`" : nil
            return [file, isFixedWhileRunning ? "restart" : nil].compactMap { $0 }.joined(separator: ", ")
        }
    }

    /// The title, such as `the broker`, which marks the place of the table in the documentation.
    package let title: String
    /// The prefix of the keys. A configured name is in angle brackets.
    package let prefix: String
    /// The settings, in the order in which they are read.
    package private(set) var rows: [Row]

    /// Creates a table of the settings of a section.
    /// - Parameter section: A new section, whose values are the defaults.
    package init<Section: SettingSection>(_ title: String, prefix: String, _ section: Section) {
        self.title = title
        self.prefix = prefix
        rows = Section.settings.filter { $0.refusal(in: section) == nil }.map { setting in
            let declaration = setting.declaration(for: section)
            return Row(
                key: setting.key, meaning: declaration.meaning, takes: declaration.takes,
                defaultText: declaration.defaultText(section), isSecret: setting.isSecret,
                hasFileVariant: setting.hasFileVariant, isFixedWhileRunning: setting.isFixedWhileRunning)
        }
    }

    /// Returns this table with those rows of another appended whose keys it does not have.
    package static func + (first: SettingsTable, second: SettingsTable) -> SettingsTable {
        var sum = first
        sum.rows += second.rows.filter { row in !first.rows.contains { $0.key == row.key } }
        return sum
    }

    /// The table in Markdown. If the prefix contains a configured name, keys are shown without the prefix.
    package var markdown: String {
        let shownPrefix = prefix.contains("<") ? "" : prefix
        let lines = rows.map { row in
            let cells = [
                "`\(shownPrefix)\(row.key)`", row.meaning, row.takes, row.defaultText,
                row.notes,
            ]
            return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        return """
            | key | meaning | takes | default | |
            | --- | --- | --- | --- | --- |
            \(lines.joined(separator: "\n"))

            """
    }
}

extension BrokerConfiguration {
    /// The tables of the keys under `auth.`, one for each section.
    package static var settingsTables: [SettingsTable] {
        let name = "<name>"
        let oidc = Provider(name: name, unknown: .oidc)
        let apple = Provider(name: name, unknown: .apple)
        return [
            SettingsTable("the broker", prefix: prefix, unknown),
            SettingsTable("the pages", prefix: Branding.prefix, Branding()),
            SettingsTable("the webhook", prefix: Webhook.prefix, Webhook.unknown),
            SettingsTable("a provider", prefix: oidc.prefix, oidc)
                + SettingsTable("", prefix: oidc.prefix, oidc.configuration),
            SettingsTable("a provider of kind apple", prefix: apple.prefix, apple)
                + SettingsTable("", prefix: apple.prefix, apple.configuration)
                + SettingsTable("", prefix: apple.prefix, AppleProvider(clientID: "")),
            SettingsTable("an app", prefix: App(unknown: name).prefix, App(unknown: name)),
            SettingsTable("a resource", prefix: Resource(unknown: name).prefix, Resource(unknown: name)),
        ]
    }

}

extension SettingsTable {
    /// Returns the prefixes and keys of the secrets in tables. A prefix ends before a configured name.
    package static func secretKeys(in tables: [SettingsTable]) -> [(prefix: String, key: String)] {
        tables.flatMap { table in
            let prefix = String(table.prefix.prefix { $0 != "<" })
            return table.rows.filter(\.isSecret).map { (prefix: prefix, key: $0.key) }
        }
    }
}
