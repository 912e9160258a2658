// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A route that makes all IPv6 addresses of clients those of this machine, without configuring one of them.
struct ClientRoute: Sendable {
    /// The reason why there is no route.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Adds the route.
    ///
    /// - Throws: ``Missing`` if it cannot be added here. The program `ip` prints why.
    init() throws {
        guard Self.ip("add") else {
            let command = Self.words("add").joined(separator: " ")
            throw Missing(
                description: "'\(command)' failed (it takes root and IPv6, and no other run that has this route; "
                    + "'del' removes one that was left), so this is not run")
        }
    }

    /// Removes the route.
    func remove() { _ = Self.ip("del") }

    private static func words(_ action: String) -> [String] {
        ["ip", "-6", "route", action, "local", ClientAddresses.network, "dev", "lo"]
    }

    private static func ip(_ action: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words(action)
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
