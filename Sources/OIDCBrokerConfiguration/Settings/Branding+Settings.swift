// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

/// The keys under `auth.branding.`.
extension BrokerConfiguration.Branding: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.Branding>] = [
        Setting(
            "operator", \.operatorName, .text, "the name of the server's operator, shown on every page",
            default: "the host of the public URL", bounds: .title),
        Setting(
            "logo", \.logo, .bytesOrFile, "the logo, shown on every page",
            bounds: SettingBounds("a PNG, JPEG, WebP or SVG image of 1 to \(longest) bytes") {
                (1...longest).contains($0.count) && ImageFormat(of: $0) != nil
            }),
        Setting(
            "accent-color", \.accentColor, .text, "the color of buttons and links on light pages", default: "blue",
            bounds: .color(on: .lightCard)),
        Setting(
            "dark-accent-color", \.darkAccentColor, .text, "the color of buttons and links on dark pages",
            default: "light blue", bounds: .color(on: .darkCard)),
        Setting("imprint", \.imprint, .text, "the URL of the legal notice", bounds: .link),
        Setting("privacy", \.privacy, .text, "the URL of the privacy notice", bounds: .link),
        Setting(
            "stylesheet", \.stylesheet, .textOrFile, "CSS that is added after the style rules of the pages",
            bounds: SettingBounds("CSS of at most \(longest) bytes without '<' and NUL") {
                $0.utf8.count <= longest && !$0.utf8.contains(UInt8(ascii: "<")) && !$0.utf8.contains(0)
            }),
    ]

    /// The maximum size of the logo and of the stylesheet, in bytes.
    private static let longest = 65_536

    /// The prefix of the keys.
    package static let prefix = "auth.branding."
}

extension SettingBounds where Value == String {
    /// The bounds of the color of text on a background.
    fileprivate static func color(on background: Color) -> SettingBounds {
        SettingBounds("#rrggbb with a contrast of at least 4.5 to the background \(background.text)") {
            Color($0).map { $0.contrast(with: background) >= 4.5 } ?? false
        }
    }

    /// The bounds of the URL of a link.
    fileprivate static let link = SettingBounds("an https URL") { AbsoluteURL($0)?.isHTTPS == true }
}
