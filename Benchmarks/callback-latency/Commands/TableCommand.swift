// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement

/// `callback-latency table`: several relying parties beside each other, in one run.
struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Measure several relying parties in interleaved rounds, and make the table of the README.",
        discussion: """
            Every target is started anew in each round, so that what drifts in the machine drifts for all. Targets \
            that are not installed are left out, and the table says so; Benchmarks/peers/README.md says how to install \
            them. Pin the target and this tool to different processors.
            """)

    @OptionGroup var options: MeasurementOptions

    @Option(
        name: .customLong("target"),
        help: ArgumentHelp("A target file; all there are by default.", valueName: "file"))
    var targets: [String] = []

    @Option(name: .customLong("algorithm"), help: "es256 or rs256; both by default.")
    var algorithms: [SignatureAlgorithm] = []

    @Option(name: .customLong("load"), help: "A load of the table; all of them by default.")
    var loads: [TableLoad] = []

    @Option(help: "How many rounds there are.")
    var rounds = 3

    @Option(help: "How many sign-ins run at a time where there are many.")
    var concurrency = 64

    @Option(help: ArgumentHelp("The name of the target that is set beside the others.", valueName: "name"))
    var ours = "ours"

    @Option(help: ArgumentHelp("Wait so long for a quiet machine before each target, seconds.", valueName: "seconds"))
    var quiet = 20

    @Option(help: ArgumentHelp("Write the result here, for compare.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a report here: one page, no network needed.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Replace the table in this document, between its two marks.", valueName: "file"))
    var update: [String] = []

    func validate() throws {
        guard (1...50).contains(rounds), (1...4096).contains(concurrency), (0...600).contains(quiet) else {
            throw ValidationError("rounds are 1 to 50, concurrency 1 to 4096, quiet 0 to 600 s")
        }
    }

    func run() async throws {
        // Before hours of work.
        for document in update { _ = try replaced(document, with: "") }
        let workplace = try options.prepare()
        defer { workplace.remove() }
        let machine = options.machine
        let files = try targetFiles()
        var run = TableRun(
            options: options, workplace: workplace, loads: loads.isEmpty ? TableLoad.allCases : loads,
            concurrency: concurrency, quiet: quiet)
        for round in 1...rounds {
            for algorithm in usedAlgorithms {
                for file in files { await run.measure(file, algorithm, round: round) }
            }
            // What was measured is not lost where a later round fails.
            if let json, !run.runs.isEmpty {
                try SystemFile.write(ResultFile(machine: machine, runs: run.runs).json(), to: json)
            }
        }
        guard !run.runs.isEmpty else { throw LatencyToolError("nothing could be measured") }
        let result = ResultFile(machine: machine, runs: run.runs)
        try ResultOutput(json: json, html: html).write(result)
        let document = TableDocument(
            result, parts: parts, ours: ours, unjudging: Set(files.filter { !$0.isJudging }.map(\.name)),
            command: CommandLine.arguments.enumerated().map { $0.offset == 0 ? "callback-latency" : $0.element }
                .joined(separator: " "),
            notes: run.notes + redeemNote(run.runs))
        print(document.markdown)
        for path in update {
            try SystemFile.write(Array(try replaced(path, with: document.markdown).utf8), to: path)
        }
    }

    private var usedAlgorithms: [SignatureAlgorithm] { algorithms.isEmpty ? SignatureAlgorithm.allCases : algorithms }

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
        return files
    }

    private func replaced(_ path: String, with part: String) throws -> String {
        let text = String(decoding: try SystemFile.bytes(path), as: UTF8.self)
        guard let document = MarkedText.replacing(in: text, with: part) else {
            throw LatencyToolError("\(path) does not have the lines '\(MarkedText.begin)' and '\(MarkedText.end)'")
        }
        return document
    }

    private func column(
        _ title: String, _ load: TableLoad, _ metric: Metric, _ algorithm: SignatureAlgorithm
    ) -> PeerTable.Column {
        PeerTable.Column(
            title: title, shape: load.shape(options, concurrency: concurrency, algorithm: algorithm), metric: metric)
    }

    private var parts: [TableDocument.Part] {
        let used = usedAlgorithms
        let first = used[0]
        var cost = used.map { column("\($0.rawValue) sign-in", .signIn, .processorTime, $0) }
        cost.append(column("start", .start, .processorTime, first))
        let latency = [
            column("start p50, one user", .one, .startP50, first),
            column("callback p50, one user", .one, .callbackP50, first),
            column("callback p50, \(concurrency)", .signIn, .callbackP50, first),
            column("callback p99, \(concurrency)", .signIn, .callbackP99, first),
            column("callback p99, half load", .half, .callbackP99, first),
            column("callback p99.9, half load", .half, .callbackP999, first),
        ]
        let rest = [
            column("sign-ins/s seen", .signIn, .throughput, first),
            column("RSS idle, MB", .signIn, .residentIdle, first),
            column("RSS under load, MB", .signIn, .residentLoaded, first),
            column("first sign-in, ms", .signIn, .firstSignIn, first),
        ]
        return [
            TableDocument.Part(title: "CPU milliseconds each, \(concurrency) at a time", columns: cost),
            TableDocument.Part(title: "Latency in milliseconds, \(first.rawValue)", columns: latency),
            TableDocument.Part(title: "The rest, \(first.rawValue)", columns: rest),
        ]
    }

    /// What a redemption costs: the difference between two loads of one round.
    private func redeemNote(_ runs: [MeasuredRun]) -> [String] {
        let mine = runs.filter { $0.target == ours && $0.shape.loop == .closed && $0.shape.concurrency == concurrency }
        let costs = mine.filter { $0.shape.redeemed == 1 && $0.shape.extent == .signIn }.compactMap { run -> Double? in
            let without = mine.first {
                $0.round == run.round && $0.shape.algorithm == run.shape.algorithm && $0.shape.extent == .signIn
                    && $0.shape.redeemed < 0.5
            }
            guard let with = run.usage?.secondsPerThousand, let rest = without?.usage?.secondsPerThousand else {
                return nil
            }
            return (with - rest) / (1 - TableLoad.sample)
        }
        guard let cost = Statistics.median(costs) else { return [] }
        return ["A redemption costs \(ours) \(Figure.fixed(cost, 3)) ms of CPU."]
    }
}
