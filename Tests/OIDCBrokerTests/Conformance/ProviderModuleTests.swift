// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenIDConnect
import Testing

/// The modules of the certification plans for OpenID Providers, and their table in `CONFORMANCE.md`.
struct ProviderModuleTests {
    @Test(arguments: ProviderModule.basic) func `Basic OP`(module: ProviderModule) throws {
        var run = try ProviderModuleRun()
        try module.run(&run)
    }

    @Test(arguments: ProviderModule.configuration) func `Config OP`(module: ProviderModule) throws {
        var run = try ProviderModuleRun()
        try module.run(&run)
    }

    @Test(arguments: ProviderModule.basic) func `Form Post OP`(module: ProviderModule) throws {
        var run = try ProviderModuleRun(.formPost)
        try module.run(&run)
    }

    @Test(arguments: ProviderModule.logout) func `RP-Initiated Logout OP`(module: ProviderModule) throws {
        var run = try ProviderModuleRun()
        try module.run(&run)
    }

    /// `UPDATE_CONFORMANCE=1` writes the table instead.
    @Test func `the document has the table of the modules`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../CONFORMANCE.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- made by ProviderModuleTests -->\n", "<!-- end of what ProviderModuleTests made -->")
        let start = try #require(text.range(of: begin))
        let rest = try #require(text.range(of: end, range: start.upperBound..<text.endIndex))
        let found = String(text[start.upperBound..<rest.lowerBound])
        guard ProcessInfo.processInfo.environment["UPDATE_CONFORMANCE"] == nil else {
            let changed = text.replacingCharacters(in: start.upperBound..<rest.lowerBound, with: Self.table)
            return try changed.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(found == Self.table, "UPDATE_CONFORMANCE=1 writes it anew")
    }

    private static var table: String {
        let plans = [
            ("Basic OP, Form Post OP", ProviderModule.basic), ("Config OP", ProviderModule.configuration),
            ("RP-Initiated OP", ProviderModule.logout),
        ]
        let rows = plans.flatMap { plan, modules in
            modules.map { "| `\($0.name)` | \(plan) | \($0.verdict.rawValue) | \($0.remark) |" }
        }
        return "| module | plan | verdict | |\n| --- | --- | --- | --- |\n" + rows.joined(separator: "\n") + "\n"
    }
}
