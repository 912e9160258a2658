// SPDX-License-Identifier: Apache-2.0

/// The name of an app or a provider on pages: its title, or a name that is made from its key in the configuration.
package enum DisplayedName {
    /// The maximum length of a title, in Unicode scalars.
    static let longestTitle = 64

    /// The spelling of well-known providers by their owners.
    private static let known = [
        "github": "GitHub", "gitlab": "GitLab", "linkedin": "LinkedIn", "auth0": "Auth0", "aws": "AWS", "sap": "SAP",
    ]

    /// Returns the name of something with a title and a key such as `google`, which is capitalized.
    package static func name(title: String?, key: String) -> String {
        title ?? known[key] ?? key.prefix(1).uppercased() + key.dropFirst()
    }

    /// Returns whether a text can be a title: 1 to 64 visible characters and spaces. None changes the direction of the
    /// text around it.
    static func isTitle(_ text: String) -> Bool {
        guard text.utf8.count <= 4 * longestTitle, (1...longestTitle).contains(text.unicodeScalars.count) else {
            return false
        }
        return text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
                default: true
                }
            }
    }
}

extension BrokerConfiguration.App {
    /// The name of the app on pages.
    package var displayedName: String { DisplayedName.name(title: title, key: name) }
}

extension BrokerConfiguration.Provider {
    /// The name of the provider on pages.
    package var displayedName: String { DisplayedName.name(title: title, key: name) }
}

extension SettingBounds where Value == String {
    /// The bounds of a title.
    package static let title = SettingBounds("1 to 64 characters, without control and format characters") {
        DisplayedName.isTitle($0)
    }
}
