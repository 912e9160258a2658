// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

/// The modules of the certification plans for OpenID Providers, and their table in
/// `Documentation/Reports/Conformance.md`.
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

    /// Where the provider ends sessions, the browser keeps the cookie that can spare the question.
    @Test(arguments: ProviderModule.logout, [false, true])
    func `RP-Initiated Logout OP`(module: ProviderModule, endsSessions: Bool) throws {
        var run = try ProviderModuleRun(endsSessions: endsSessions)
        try module.run(&run)
    }

    @Test func `the document has the table of the modules`() throws {
        let plans = [
            ("Basic OP, Form Post OP", ProviderModule.basic), ("Config OP", ProviderModule.configuration),
            ("RP-Initiated OP", ProviderModule.logout),
        ]
        let rows = plans.flatMap { plan, modules in
            modules.map { "| `\($0.name)` | \(plan) | \($0.verdict.rawValue) | \($0.remark) |" }
        }
        // Their client hears of the end of its sessions, which are those of accounts.
        let backChannel = [
            "oidcc-backchannel-logout-discovery-endpoint-verification", "oidcc-backchannel-rp-initiated-logout",
        ].map { "| `\($0)` | Back-Channel OP | passes | for an app with accounts (`BackChannelLogoutModuleTests`) |" }
        try GeneratedTable(
            suite: "ProviderModuleTests",
            lines: ["| module | plan | verdict | |", "| --- | --- | --- | --- |"] + rows + backChannel
        ).expect()
    }
}
