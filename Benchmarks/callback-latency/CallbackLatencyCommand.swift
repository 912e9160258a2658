// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A measurement of user-visible latency: complete sign-ins with this broker or any other relying party, over sockets.
///
/// Only verified sign-ins count, with the right status, the right `state` and a credential of the right user.
@main
struct CallbackLatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback-latency",
        abstract: "Drives complete sign-ins against a relying party: how long each part takes, and what it costs.",
        discussion: """
            Build it with -c release: a debug build says nothing about speed.

            Example: callback-latency run --target Benchmarks/targets/ours.json
            """,
        subcommands: [
            RunCommand.self, CompareCommand.self, TableCommand.self, ProviderCommand.self, ServeCommand.self,
            ServeObservedCommand.self,
            FloorCommand.self, StayAwakeCommand.self, PersonCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
