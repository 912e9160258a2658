// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import UnixSignals

/// The command `oidc-broker-demo`, a complete sign-in to try out without any preparation.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try a complete sign-in on this machine, without any setup.",
        discussion: """
            Starts the broker with a temporary certificate, a development OpenID Provider with a test user, and a small \
            sample app that shows what it received. Everything listens on 127.0.0.1 only.

            With --provider apple a mock Apple replaces the provider: Sign in with Apple without an account at Apple, \
            with the responses of Apple. It is not Apple, and nothing is sent there.

            With --accounts both providers run, the broker stores accounts in a database that is deleted with the \
            demo, and the sample app has an account page: link a second provider, unlink it, delete the \
            account. It also has a web app, which signs in by popup and by redirect as the Firebase SDK for \
            JavaScript does. With --sdk it uses that SDK: firebase-app-compat.js and firebase-auth-compat.js, which \
            you provide.

            Example: oidc-broker-demo --check
            """)

    @Flag(help: "Run a sign-in without a browser, print each step with its time, and exit with 0 on success.")
    var check = false

    @Option(help: "The port of the broker; 0 for a free one. Default: 8443, with --check a free one.")
    var port: Int?

    @Option(help: "The provider: development, or apple for a mock Apple. Default: development.")
    var provider: DemoProvider?

    @Flag(help: "Store accounts, with both providers.")
    var accounts = false

    @Option(
        name: .customLong("sdk"),
        help: ArgumentHelp(
            "A file of the Firebase SDK that the web app of --accounts loads. Repeat it for each, in their order.",
            valueName: "file"))
    var sdkFiles: [String] = []

    func validate() throws {
        if let port, !(0...65535).contains(port) { throw ValidationError("--port expects 0 to 65535.") }
        if accounts, provider != nil {
            throw ValidationError("--accounts runs both providers. Leave out --provider.")
        }
        if !sdkFiles.isEmpty, !accounts { throw ValidationError("--sdk is for the web app of --accounts.") }
        if !sdkFiles.isEmpty, check {
            throw ValidationError("--check uses no browser, which the SDK needs. Leave out --sdk.")
        }
        #if !SQLite
            if accounts {
                throw ValidationError("--accounts needs a program that was built with the package trait SQLite.")
            }
        #endif
    }

    func run() async throws {
        let sdk = try sdkFiles.map { try DemoSDK.read($0) }
        // Signals are trapped before anything starts, so that Ctrl-C always cleans up.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        var logger = Logger(label: "oidc-broker.demo") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let environment = try await DemoEnvironment.start(
            port: port ?? (check ? 0 : 8443), provider: provider ?? .development, hasAccounts: accounts, sdk: sdk,
            certificates: .inWorkingDirectory(), logger: logger)
        let end: End
        if check {
            if let provider, provider != .development { FileOutput.line("The provider is \(provider.name).") }
            if accounts {
                let names = DemoProvider.allCases.map(\.name).joined(separator: ", and ")
                FileOutput.line("There are accounts. The providers are \(names).")
            }
            end = await Self.end(of: environment, by: signals) {
                try await DemoCheck(environment).run { FileOutput.line($0) }
            }
        } else {
            FileOutput.line(DemoGreeting.text(environment))
            end = await Self.end(of: environment, by: signals) {
                try await environment.untilEnded()
                throw DemoError.ended
            }
        }
        switch end {
        case .signal:
            // An interrupted check has not succeeded.
            if check { throw ExitCode.failure }
            FileOutput.line("\nStopped.")
        case .finished(.success):
            break
        case .finished(.failure(let failure as DemoCheckFailure)):
            FileOutput.line(failure.description)
            throw ExitCode.failure
        case .finished(.failure(let error)):
            throw error
        }
    }

    /// The reason for the end of the demo.
    private enum End: Sendable {
        case signal
        case finished(Result<Void, any Error>)
    }

    /// Waits for a signal or the end of the work, whichever is first, and stops the demo.
    private static func end(
        of environment: DemoEnvironment,
        by signals: UnixSignalsSequence,
        or work: @escaping @Sendable () async throws -> Void
    ) async -> End {
        await withTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                for await _ in signals { break }
                return .signal
            }
            tasks.addTask {
                do {
                    try await work()
                    return .finished(.success(()))
                } catch {
                    return .finished(.failure(error))
                }
            }
            let end = await tasks.next() ?? .signal
            tasks.cancelAll()
            await environment.stop()
            return end
        }
    }
}
