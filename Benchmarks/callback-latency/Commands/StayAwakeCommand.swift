// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Synchronization

/// `callback-latency stay-awake`: what ``AwakeProcessors`` starts. It does nothing, all the time, until its standard input
/// ends.
struct StayAwakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stay-awake",
        abstract: "Keep the processor it runs on from idling, until standard input ends.",
        shouldDisplay: false)

    private static let isOver = Atomic(false)

    func run() throws {
        // The end comes with the process that holds the other end, however that one ends.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            Self.isOver.store(true, ordering: .relaxed)
        }
        while !Self.isOver.load(ordering: .relaxed) {}
    }
}
