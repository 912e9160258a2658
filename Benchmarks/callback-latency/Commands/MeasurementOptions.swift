// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The options that `run` and `table` share.
struct MeasurementOptions: ParsableArguments {
    @Option(help: "How long is measured, seconds.")
    var duration = 10.0

    @Option(help: "How long is driven before, unmeasured, seconds; a target file may ask for more.")
    var warmUp = 3.0

    @Option(help: "Event loops of the virtual users.")
    var threads = 1

    @Option(
        help: "Event loops of the provider; 0: those of the virtual users, as where this tool has one processor.")
    var providerThreads: Int?

    @Option(
        help: ArgumentHelp(
            "In every such sign-in the ID token's signature is broken, and must be refused. 0: in none.",
            valueName: "n"))
    var spoilEvery = 1000

    @Flag(inversion: .prefixedNo, help: "See first what the target refuses.")
    var checks = true

    @Option(help: ArgumentHelp("Where the target runs, as taskset takes it: 0 or 0-3.", valueName: "processors"))
    var targetProcessors: String?

    @Option(help: ArgumentHelp("Where this tool and its provider run.", valueName: "processors"))
    var ownProcessors: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Where both are named, keep those processors from idling: what it takes to wake one is the machine's.")
    var awake = true

    @Flag(help: "Over TLS; certificates are made for the run.")
    var tls = false

    @Flag(help: "With HTTP/2, over TLS.")
    var http2 = false

    @Flag(help: "With the provider on HTTPS.")
    var providerTLS = false

    @Option(help: ArgumentHelp("How long the provider takes for a token request, milliseconds.", valueName: "ms"))
    var providerLatency = 0.0

    @Option(help: ArgumentHelp("The folder with the target files and start scripts.", valueName: "folder"))
    var benchmarks = "Benchmarks"

    @Option(help: ArgumentHelp("Where the start scripts have installed the peers.", valueName: "folder"))
    var work = ".build/peers"

    @Option(help: ArgumentHelp("The broker; by default oidc-broker beside this tool.", valueName: "file"))
    var broker: String?

    @Flag(inversion: .prefixedNo, help: "A line a second on standard error.")
    var progress = true

    func validate() throws {
        guard duration > 0, duration <= 3600, warmUp >= 0, warmUp <= 600 else {
            throw ValidationError("duration is up to 3600 s, warm-up up to 600 s")
        }
        guard (1...64).contains(threads), (0...64).contains(providerThreads ?? 0) else {
            throw ValidationError("threads are 1 to 64, those of the provider 0 to 64")
        }
        guard spoilEvery >= 0, (0...60_000).contains(providerLatency) else {
            throw ValidationError("spoil-every is not negative, provider-latency up to 60000 ms")
        }
        for text in [targetProcessors, ownProcessors].compactMap({ $0 }) where ProcessorList(text) == nil {
            throw ValidationError("'\(text)' is no list of processors such as 0 or 0,2 or 0-3")
        }
    }

    /// Whether browsers use TLS.
    var isTLS: Bool { tls || http2 }

    private var targetList: ProcessorList? { targetProcessors.flatMap { ProcessorList($0) } }

    private var ownList: ProcessorList? { ownProcessors.flatMap { ProcessorList($0) } }

    /// Returns the event loops of a command, after ``prepare()``, because threads keep the processors of the process
    /// that creates them.
    func makeLoops() -> MeasurementLoops {
        let isAlone = ownList?.numbers.count == 1
        return MeasurementLoops(threads: threads, providerThreads: providerThreads ?? (isAlone ? 0 : 1))
    }

    /// Keeps all named processors awake. Keeping only the target's awake would not suffice.
    func keepAwake(_ workplace: Workplace) throws -> AwakeProcessors {
        let lists = isKeptAwake ? [targetList, ownList].compactMap(\.self) : []
        return try AwakeProcessors(Set(lists.flatMap(\.numbers)), tool: workplace.tool)
    }

    private var isKeptAwake: Bool { awake && targetList != nil && ownList != nil }

    /// Returns the common settings of the measurements.
    func settings(processID: Int? = nil) -> MeasurementSettings {
        MeasurementSettings(
            duration: duration, warmUp: warmUp, spoilsEvery: spoilEvery == 0 ? nil : spoilEvery, checks: checks,
            targetProcessors: targetList, ownProcessors: ownList, processID: processID, showsProgress: progress)
    }

    /// Returns the setting of a session.
    func setting(_ algorithm: SignatureAlgorithm, providers: Int = 1) -> TargetSession.Setting {
        TargetSession.Setting(
            algorithm: algorithm, isTLS: isTLS, isHTTP2: http2, isProviderTLS: providerTLS,
            providerLatency: providerLatency, providers: providers)
    }

    /// Returns the shape of a load with these options.
    func shape(
        _ loop: LoadShape.Loop, _ extent: LoadShape.Extent, concurrency: Int, rate: Double? = nil, redeemed: Double,
        algorithm: SignatureAlgorithm, providers: Int = 1, idleConnections: Int = 0
    ) -> LoadShape {
        LoadShape(
            loop: loop, extent: extent, concurrency: concurrency, rate: rate, redeemed: redeemed,
            algorithm: algorithm.rawValue, isTLS: isTLS, isHTTP2: http2, isProviderTLS: providerTLS,
            providerLatency: providerLatency, providers: providers, idleConnections: idleConnections)
    }

    /// Pins this process to its processors before it creates threads.
    func prepare() throws -> Workplace {
        Affinity.raiseFileLimit()
        if let ownList { try Affinity.pin(to: ownList) }
        if !MachineDescription.isOptimized {
            StandardError.write("This is a debug build: its figures mean nothing. Build with -c release.")
        }
        return try Workplace(benchmarks: benchmarks, work: work, broker: broker)
    }

    /// The description of this machine.
    var machine: MachineDescription {
        MachineDescription.here(
            targetProcessors: targetList, ownProcessors: ownList, isKeptAwake: isKeptAwake)
    }
}
