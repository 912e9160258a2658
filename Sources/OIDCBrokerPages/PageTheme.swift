// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerConfiguration

/// The operator's branding, prepared for pages.
package struct PageTheme: Sendable {
    /// The stylesheet of every page: the common one, and the operator's rules.
    package let stylesheet: Stylesheet
    /// Who runs the server: the logo, the name, or both.
    package let header: HTML
    let showsImages: Bool
    private let imprint: String?
    private let privacy: String?

    /// The theme of pages without a configuration, such as those of the sample app.
    package static let plain = PageTheme(BrokerConfiguration.Branding(), host: "")

    /// Prepares a branding that was validated.
    /// - Parameter host: The host of the broker, which is shown if the operator has no name.
    package init(_ branding: BrokerConfiguration.Branding, host: String) {
        let colors = [
            branding.accentColor.flatMap { Color($0) }.map { ":root{\($0.accent)}\n" },
            branding.darkAccentColor.flatMap { Color($0) }.map {
                "@media (prefers-color-scheme:dark){:root{\($0.accent)}}\n"
            },
        ].compactMap { $0 }.joined()
        // A parser of HTML makes each line break a line feed, and the hash is that of what it made.
        let rules = colors + (branding.stylesheet ?? "").replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        stylesheet = rules.isEmpty ? .shared : .shared.adding(rules)
        let name = branding.operatorName ?? host
        let logo = branding.logo.flatMap { bytes in
            ImageFormat(of: bytes).map { "data:\($0.mediaType);base64,\(Base64.encode(bytes))" }
        }
        showsImages = logo != nil
        let image: HTML = logo.map { "<img src=\"\($0)\" alt=\"\(name)\">" } ?? ""
        // The name is in the logo already, as its text at least.
        let text: HTML = logo == nil ? "<bdi>\(name)</bdi>" : ""
        header = name.isEmpty && logo == nil ? "" : "<header>\(image)\(text)</header>\n"
        imprint = branding.imprint
        privacy = branding.privacy
    }

    /// The links at the end of a page.
    func footer(_ texts: PageTexts) -> HTML {
        let links = [(imprint, texts.imprint, "imprint"), (privacy, texts.privacy, "privacy")].compactMap {
            url, text, id -> HTML? in
            url.map { "<a id=\"\(id)\" href=\"\($0)\">\(text)</a>\n" }
        }
        return links.isEmpty ? "" : "<footer>\n\(links)</footer>\n"
    }
}

extension Color {
    /// The custom properties of the stylesheet for this accent color. The text on it is black or white, whichever has the
    /// higher contrast.
    fileprivate var accent: String {
        let onAccent = contrast(with: .white) >= contrast(with: .black) ? Color.white : .black
        return "--accent:\(text);--on-accent:\(onAccent.text)"
    }
}
