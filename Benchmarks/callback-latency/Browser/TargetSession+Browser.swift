// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

extension TargetSession {
    /// Returns the plan of a load: the session's, or with browsers whose process is started first.
    func plan(of shape: LoadShape) async throws -> LoadPlan {
        guard let connections = shape.browser else { return plan }
        let process: BrowserProcess
        if let browsers {
            process = browsers
        } else {
            process = try await launchBrowsers()
            browsers = process
        }
        return plan(connections, process)
    }

    /// Opens the idle connections of a load of browsers; `nil` if it has none.
    func openIdleBrowsers(of shape: LoadShape) async throws -> IdleBrowsers? {
        guard let connections = shape.browser, shape.idleConnections > 0 else { return nil }
        let process = try await launchBrowsers()
        do {
            let idle = IdleBrowsers(
                plan: plan(connections, process), process: process, eventLoop: loops.users[0])
            try await idle.open(shape.idleConnections, tree: tree)
            return idle
        } catch {
            await process.stop()
            throw error
        }
    }

    private func plan(_ connections: BrowserConnections, _ process: BrowserProcess) -> LoadPlan {
        var plan = plan
        plan.browser = BrowserPlan(address: process.address, connections: connections)
        return plan
    }

    private func launchBrowsers() async throws -> BrowserProcess {
        try await BrowserProcess.launch(
            for: plan.address, workplace: workplace, processors: settings.ownProcessors, log: folder + "/browser.log",
            on: loops.provider)
    }
}
