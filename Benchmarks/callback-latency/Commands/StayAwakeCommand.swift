// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Synchronization

/// The command `callback-latency stay-awake`, which ``AwakeProcessors`` starts. It runs an empty loop until its
/// standard input ends.
struct StayAwakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stay-awake",
        abstract: "Keep the processor it runs on from idling, until standard input ends.",
        discussion: "Example: callback-latency stay-awake",
        shouldDisplay: false)

    private static let isOver = Atomic(false)

    func run() throws {
        // Standard input ends with the process that holds its other end, however that process ends.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            Self.isOver.store(true, ordering: .relaxed)
        }
        while !Self.isOver.load(ordering: .relaxed) {}
    }
}
