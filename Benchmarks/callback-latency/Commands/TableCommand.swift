// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement

/// The command `callback-latency table`, which measures several relying parties in one run.
struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Measure several relying parties in interleaved rounds, and make the table of the README.",
        discussion: """
            For each load all targets are started anew. Then they take turns while the others stand by, another one \
            first each time and every second turn backwards: what drifts in the machine drifts for all. Targets that \
            are not installed are left out, and the table says so; Benchmarks/peers/README.md says how to install them. \
            Pin the target and this tool to different processors. Of this broker the table says which goals are \
            reached and which are not.

            Example: callback-latency table --target-processors 0 --own-processors 1 --json table.json
            """)

    @OptionGroup var options: MeasurementOptions

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp("A target file; all there are by default.", valueName: "file"))
    var targets: [String] = []

    @Option(name: .customLong("algorithm"), help: "es256 or rs256; both by default. Most loads take the first.")
    var algorithms: [SignatureAlgorithm] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Only these loads.", valueName: "load"))
    var only: [TableLoad] = []

    @Option(parsing: .upToNextOption, help: ArgumentHelp("All loads but these.", valueName: "load"))
    var without: [TableLoad] = []

    @Option(help: "How many rounds there are; each starts every target anew.")
    var rounds = 2

    @Option(help: "How often each target is measured in a round, in turn with the others.")
    var turns = 5

    @Option(help: "How many sign-ins run at a time where there are many.")
    var concurrency = 64

    @Option(help: "How many logins are abandoned, in the first round; the goal is about 1000000.")
    var abandoned = 100_000

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The targets that are set beside the others; ours and ours-async-http-client by default.", valueName: "name"
        ))
    var ours: [String] = []

    @Option(
        help: ArgumentHelp(
            "The broker as Benchmarks/build-optimized makes it: columns of their own, with goals of their own.",
            valueName: "file"))
    var optimizedBroker: String?

    @Option(help: "The sign-ins per second of the open loop; targets that cannot sustain it are left out there.")
    var openLoopRate = 2000

    @Option(help: ArgumentHelp("Wait so long for a quiet machine before each launch, seconds.", valueName: "seconds"))
    var quiet = 20

    @Option(help: ArgumentHelp("Write the result here, for compare.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a report here: one page, no network needed.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Replace the table in this document, between its two marks.", valueName: "file"))
    var update: [String] = []

    @Option(help: ArgumentHelp("The same with the rows that are asked for first.", valueName: "file"))
    var updateSummary: [String] = []

    func validate() throws {
        guard (1...50).contains(rounds), (1...100).contains(turns), (1...4096).contains(concurrency),
            (0...600).contains(quiet), (1...1_000_000).contains(openLoopRate)
        else {
            throw ValidationError(
                "rounds are 1 to 50, turns 1 to 100, concurrency 1 to 4096, quiet 0 to 600 s, the rate 1 to 1000000")
        }
        guard (1...10_000_000).contains(abandoned) else { throw ValidationError("abandoned is 1 to 10000000") }
        guard !loads.isEmpty else { throw ValidationError("no load is left") }
    }

    func run() async throws {
        // Checked before the measurements, which take hours.
        if let optimizedBroker, !SystemFile.exists(optimizedBroker) {
            throw LatencyToolError("\(optimizedBroker) is missing")
        }
        for document in update + updateSummary { _ = try replaced(document, with: "") }
        let workplace = try options.prepare()
        defer { workplace.remove() }
        let interruption = Interruption(workplace)
        defer { interruption.stop() }
        let machine = options.machine
        let awake = try options.keepAwake(workplace)
        defer { awake.stop() }
        let loops = options.makeLoops()
        var run = TableRun(
            options: options, workplace: workplace, loops: loops, concurrency: concurrency, turns: turns, quiet: quiet,
            ours: ownNames + optimizedNames,
            alone: [ownNames.first, optimizedNames.first].compactMap(\.self),
            optimizedBroker: optimizedBroker.map { SystemFile.absolute($0) }, openLoopRate: openLoopRate,
            abandoned: abandoned)
        var files: [TargetFile] = []
        for file in try targetFiles() where run.isInstalled(file) { files.append(file) }
        for round in 1...rounds {
            // Forward and backward, so that steady drift affects all targets alike.
            let order: [TargetFile] = round.isMultiple(of: 2) ? files.reversed() : files
            for load in loads where !load.isOnce || round == 1 {
                for algorithm in load.isForEachAlgorithm ? usedAlgorithms : Array(usedAlgorithms.prefix(1)) {
                    await run.measure(load, order, algorithm, round: round)
                }
            }
            // Saved after each round, so that a later error does not lose the results.
            if let json, !run.runs.isEmpty {
                try SystemFile.write(
                    ResultFile(machine: machine, runs: run.runs, versions: run.versions).json(), to: json)
            }
        }
        await loops.stop()
        guard !run.runs.isEmpty else { throw LatencyToolError("nothing could be measured") }
        let result = ResultFile(machine: machine, runs: run.runs, versions: run.versions)
        try ResultOutput(json: json, html: html).write(result)
        let document = TableDocument(
            result, parts: parts(run.runs), ours: ownNames + optimizedNames, optimized: Set(optimizedNames),
            unvalidating: Set(files.filter { !$0.isValidating }.map(\.name)), command: commandLine,
            notes: run.notes + remarks(workplace))
        print(document.markdown)
        for path in update {
            try SystemFile.write(Array(try replaced(path, with: document.markdown).utf8), to: path)
        }
        for path in updateSummary {
            try SystemFile.write(Array(try replaced(path, with: document.summary).utf8), to: path)
        }
    }

    private var loads: [TableLoad] {
        (only.isEmpty ? TableLoad.allCases : TableLoad.allCases.filter { only.contains($0) })
            .filter { !without.contains($0) }
    }

    /// The end of the names of the optimized build's columns.
    static let optimizedSuffix = ", optimized"

    private var optimizedNames: [String] {
        optimizedBroker == nil ? [] : ownNames.map { $0 + Self.optimizedSuffix }
    }

    private var ownNames: [String] { ours.isEmpty ? ["ours", "ours-async-http-client"] : ours }

    private var usedAlgorithms: [SignatureAlgorithm] { algorithms.isEmpty ? SignatureAlgorithm.allCases : algorithms }

    private var commandLine: String {
        (["callback-latency"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    }

    /// Returns the target files, ours first.
    private func targetFiles() throws -> [TargetFile] {
        var paths = targets
        if paths.isEmpty {
            let folder = options.benchmarks + "/targets"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            paths = names.filter { $0.hasSuffix(".json") }.sorted().map { folder + "/" + $0 }
        }
        var files: [TargetFile] = []
        for path in paths {
            do {
                files.append(try TargetFile(json: SystemFile.bytes(path)))
            } catch {
                throw LatencyToolError("\(path): \(error)")
            }
        }
        let own = ownNames.flatMap { name in files.filter { $0.name == name } }
        let optimized = own.filter { _ in optimizedBroker != nil }.map { file in
            var file = file
            file.name += Self.optimizedSuffix
            return file
        }
        return own + optimized + files.filter { !ownNames.contains($0.name) }
    }

    private func replaced(_ path: String, with part: String) throws -> String {
        let text = String(decoding: try SystemFile.bytes(path), as: UTF8.self)
        guard let document = MarkedText.replacing(in: text, with: part) else {
            throw LatencyToolError("\(path) does not have the lines '\(MarkedText.begin)' and '\(MarkedText.end)'")
        }
        return document
    }

    private func parts(_ runs: [MeasuredRun]) -> [TablePart] {
        SpeedTable(
            algorithms: usedAlgorithms.map(\.rawValue), concurrency: concurrency, loads: Set(loads),
            openLoopRate: openLoopRate, abandoned: runs.filter { $0.step == .abandoned }.map(\.verified).min() ?? 0
        ).parts
    }

    /// Returns the remarks for the reader.
    private func remarks(_ workplace: Workplace) -> [String] {
        var remarks: [String] = []
        let missing = TableLoad.allCases.filter { !loads.contains($0) }
        if !missing.isEmpty {
            remarks.append("Not in this run: \(missing.map(\.rawValue).joined(separator: ", ")).")
        }
        if optimizedBroker != nil {
            remarks.append(
                "\"optimized\" is what `Benchmarks/build-optimized` makes (profile, link time, BOLT, tcmalloc); the other "
                    + "columns of ours are `swift build -c release --static-swift-stdlib`.")
        }
        if workplace.broker == workplace.tool {
            remarks.append("oidc-broker was not built beside this tool: \(ownNames[0]) is served by the tool itself.")
        }
        return remarks
    }
}
