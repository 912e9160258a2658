// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Measures what a person waits for: complete sign-ins against this broker or any other relying party, over real sockets.
///
/// Only verified sign-ins count: the right status, the right `state`, a credential that is the right person's.
@main
struct CallbackLatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback-latency",
        abstract: "Drives complete sign-ins against a relying party: how long each part takes, and what it costs.",
        discussion: "Build it with -c release: a debug build says nothing about speed.",
        subcommands: [
            RunCommand.self, CompareCommand.self, TableCommand.self, ProviderCommand.self, ServeCommand.self,
            FloorCommand.self, StayAwakeCommand.self, PersonCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
