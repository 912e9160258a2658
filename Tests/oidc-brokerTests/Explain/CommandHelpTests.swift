// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import oidc_broker

/// Completions and version.
struct CommandHelpTests {
    @Test func `the version is that of semantic versioning, and the commit is told where it is known`() {
        #expect(Version.number.wholeMatch(of: #/\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/#) != nil)
        let commit = String(repeating: "0123456789abcdef", count: 3).prefix(40)
        #expect(Version.text(commit: String(commit)) == "\(Version.number) (commit \(commit))")
        for other in ["$Format:" + "%H$", "", "main", String(repeating: "A", count: 40)] {
            #expect(Version.text(commit: other) == Version.number)
        }
        #expect(OIDCBrokerCommand.configuration.version == Version.text)
    }

    #if os(Linux)
        /// A shell, and what makes it load a file: the check of its syntax, and the definition of the completion.
        struct Shell: Sendable, CustomTestStringConvertible {
            let name: String
            let loading: @Sendable (String) -> [[String]]
            var testDescription: String { name }
        }

        static let shells = [
            Shell(name: "bash") { file in
                [["-n", file], ["--norc", "-c", "source '\(file)' && complete -p oidc-broker"]]
            },
            // It is found by its first line, in a folder for completions.
            Shell(name: "zsh") { file in
                let folder = file.dropLast("/_oidc-broker".count)
                let find = "fpath=('\(folder)' $fpath) && autoload -Uz compinit && compinit -u -D"
                return [["-n", file], ["-f", "-c", "\(find) && (( $+_comps[oidc-broker] ))"]]
            },
            Shell(name: "fish") { file in
                [["--no-execute", file], ["--no-config", "-c", "source '\(file)'; and complete -C 'oidc-broker ch'"]]
            },
        ]

        /// A shell that is not installed has nothing to load, bash always is.
        @Test(.timeLimit(.minutes(10)), arguments: shells)
        func `the completions are loaded by each shell that is installed`(shell: Shell) async throws {
            let completionShell = try #require(CompletionShell(rawValue: shell.name))
            let script = OIDCBrokerCommand.completionScript(for: completionShell)
            #expect(script.contains("check-config"))
            let folder = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "_oidc-broker")
            try script.write(to: file, atomically: true, encoding: .utf8)
            guard let program = CommandProcess.installed(shell.name) else {
                try #require(shell.name != "bash", "bash is not installed")
                return
            }
            for arguments in shell.loading(file.path) {
                let end = try await CommandProcess.run(program, arguments)
                #expect(end.status == 0, "\(arguments): \(end.errors)")
                #expect(end.errors.isEmpty, "\(arguments): \(end.errors)")
            }
        }

        @Test(.timeLimit(.minutes(10))) func `the executable says its version and writes its completions`() async throws
        {
            let version = try await CommandProcess.run(["--version"])
            #expect(version.status == 0)
            #expect(version.output == Version.text + "\n")
            for shell in ["bash", "zsh", "fish"] {
                let end = try await CommandProcess.run(["--generate-completion-script", shell])
                #expect(end.status == 0)
                #expect(end.output.contains("--generate-completion-script") || end.output.contains("check-config"))
            }
        }
    #endif
}
