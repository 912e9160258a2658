// SPDX-License-Identifier: Apache-2.0

import Admission
import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import Testing

/// The tables of `Configuration.md` are those of the settings' declarations.
@Suite struct SettingsTableTests {
    /// A document without the marks of a table.
    private struct NoMarks: Error {
        let title: String
    }

    private static let tables = BrokerConfiguration.settingsTables + ServerConfiguration.settingsTables

    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")
    private static let url = sources.appending(path: "OIDCBroker/OIDCBroker.docc/Configuration.md")
    private static let limits = sources.appending(path: "OIDCBroker/OIDCBroker.docc/Limits.md")
    private static let readme = sources.deletingLastPathComponent().appending(path: "README.md")

    /// `UPDATE_SETTINGS=1` writes the tables of the declarations instead.
    @Test func `the document has the tables of the declarations`() throws {
        let committed = String(decoding: try Data(contentsOf: Self.url), as: UTF8.self)
        let made = try Self.tables.reduce(committed) { try Self.replacing($1, in: $0) }
        guard ProcessInfo.processInfo.environment["UPDATE_SETTINGS"] != "1" else {
            return try Data(made.utf8).write(to: Self.url, options: .atomic)
        }
        let changes = made.split(separator: "\n").difference(from: committed.split(separator: "\n")).map { "\($0)" }
        #expect(changes == [], "UPDATE_SETTINGS=1 writes Configuration.md anew; look at what changed")
    }

    /// `UPDATE_SETTINGS=1` writes the table of the declarations instead.
    @Test func `Limits.md has the rates of the declarations`() throws {
        let committed = String(decoding: try Data(contentsOf: Self.limits), as: UTF8.self)
        guard let start = committed.firstRange(of: "<!-- The rates, made by a test. -->\n\n"),
            let end = committed[start.upperBound...].firstRange(of: "\n<!-- End of the rates. -->")
        else { throw NoMarks(title: "the rates") }
        guard ProcessInfo.processInfo.environment["UPDATE_SETTINGS"] != "1" else {
            let made =
                String(committed[..<start.upperBound]) + RateLimit.markdown + String(committed[end.lowerBound...])
            return try Data(made.utf8).write(to: Self.limits, options: .atomic)
        }
        #expect(committed[start.upperBound..<end.lowerBound] == RateLimit.markdown, "UPDATE_SETTINGS=1 writes it anew")
    }

    @Test(arguments: tables.map(\.title))
    func `each setting has a meaning, what it takes and a default, and a key that no other has`(title: String) throws {
        let table = try #require(Self.tables.first { $0.title == title })
        #expect(!table.rows.isEmpty)
        #expect(Set(table.rows.map(\.key)).count == table.rows.count)
        for row in table.rows {
            #expect(!row.meaning.isEmpty && !row.takes.isEmpty && !row.defaultText.isEmpty, "\(row.key)")
            #expect(!row.isSecret || row.hasFileVariant, "\(row.key)")
        }
    }

    @Test func `every key that is read is declared, and every one that is declared is read`() async throws {
        let sources = try await ConfigurationSources(
            environment: SourcesFixture.environment(
                with: SourcesFixture.accounts.merging(SourcesFixture.resource) { $1 }))
        _ = try await sources.load()
        let names = ["an app": "shop", "an app of an SDK": "web", "a resource": "orders"]
        let declared = Self.tables.flatMap { table in
            let name = names[table.title] ?? "acme"
            return table.rows.flatMap { row in
                let key = table.prefix.replacing("<name>", with: name) + row.key
                return row.hasFileVariant ? [key, key + "-file"] : [key]
            }
        }
        // The keys below require are named after providers and their claims.
        let read = sources.accesses.keys.filter { !$0.contains(".require.") }
        #expect(read == Set(declared))
    }

    @Test func `the example for operators has known keys only`() async throws {
        let document = String(decoding: try Data(contentsOf: Self.readme), as: UTF8.self)
        let start = try #require(document.firstRange(of: "```yaml\n"))
        let end = try #require(document[start.upperBound...].firstRange(of: "```"))
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("broker.yaml", String(document[start.upperBound..<end.lowerBound]))
            let found = try await SourcesFixture.errors(file: file)
            // The files that it names are not on this machine, and nothing else is wrong.
            #expect(found.count == 5)
            #expect(found.allSatisfy { $0.expected.contains("file that can be read") }, "\(found)")
        }
    }

    private static func replacing(_ table: SettingsTable, in text: String) throws -> String {
        guard let start = text.firstRange(of: "<!-- The keys of \(table.title), made by a test. -->\n\n"),
            let end = text[start.upperBound...].firstRange(of: "\n<!-- End of the keys of \(table.title). -->")
        else { throw NoMarks(title: table.title) }
        return String(text[..<start.upperBound]) + table.markdown + String(text[end.lowerBound...])
    }
}
