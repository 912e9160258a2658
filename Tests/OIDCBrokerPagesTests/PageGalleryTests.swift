// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import OIDCBrokerPages

/// The gallery of pages, which `Tests/Pages/run` looks at in a browser.
struct PageGalleryTests {
    /// A page beside its file, for the server of the gallery.
    private struct Listed: Encodable {
        let name: String
        let language: String
        let contentSecurityPolicy: String
        let referrerPolicy: String
    }

    @Test(arguments: Language.allCases)
    func `every text of a language is on a page of the gallery`(language: Language) {
        let html = PageGallery(language.texts).entries.map(\.page.html).joined()
        for child in Mirror(reflecting: language.texts).children {
            let member = child.label ?? ""
            switch child.value {
            case let text as String: #expect(html.contains(text), "\(member)")
            case let text as PageText:
                for part in text.plain("\u{E000}").split(separator: "\u{E000}") {
                    #expect(html.contains(part), "\(member)")
                }
            case let message as PageMessage:
                #expect(html.contains("<h1 id=\"failure\">\(message.title)</h1>"), "\(member)")
                #expect(html.contains("<p>\(message.text)</p>"), "\(member)")
            default: break
            }
        }
    }

    @Test func `the gallery is written where PAGES_FOLDER says, or to a temporary folder`() throws {
        let given = ProcessInfo.processInfo.environment["PAGES_FOLDER"]
        let folder =
            given.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())")
        defer { if given == nil { try? FileManager.default.removeItem(at: folder) } }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var index: [Listed] = []
        for (tag, gallery) in PageGallery.all {
            for entry in gallery.entries {
                let name = "\(tag)-\(entry.name)"
                try Data(entry.page.html.utf8).write(to: folder.appending(path: name + ".html"))
                index.append(
                    Listed(
                        name: name, language: gallery.texts.tag,
                        contentSecurityPolicy: entry.page.contentSecurityPolicy,
                        referrerPolicy: entry.page.referrerPolicy))
            }
        }
        #expect(Set(index.map(\.name)).count == index.count)
        #expect(index.count >= 9 * 20)
        try JSONEncoder().encode(index).write(to: folder.appending(path: "index.json"))
    }
}
