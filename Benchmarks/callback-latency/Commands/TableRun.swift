// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The measurements of a table as they are made.
struct TableRun {
    let options: MeasurementOptions
    let workplace: Workplace
    let loads: [TableLoad]
    let concurrency: Int
    let quiet: Int

    /// What was measured.
    private(set) var runs: [MeasuredRun] = []
    /// What was left out, and why.
    private(set) var notes: [String] = []

    init(options: MeasurementOptions, workplace: Workplace, loads: [TableLoad], concurrency: Int, quiet: Int) {
        self.options = options
        self.workplace = workplace
        self.loads = loads
        self.concurrency = concurrency
        self.quiet = quiet
    }

    /// Measures one target under all loads. What can not be measured is noted, and the others go on.
    mutating func measure(_ file: TargetFile, _ algorithm: SignatureAlgorithm, round: Int) async {
        guard file.supports(algorithm: algorithm.rawValue) else {
            return note("\(file.name) does not verify \(algorithm.rawValue): left out there.")
        }
        if options.isTLS, file.tls == nil { return note("\(file.name) does not do TLS here: left out.") }
        if options.http2, file.http2 != true { return note("\(file.name) does not do HTTP/2: left out.") }
        if options.providerTLS, file.providerTLS == nil {
            return note("\(file.name) is not set up for an HTTPS provider: left out.")
        }
        await QuietMachine.wait(seconds: quiet)
        var settings = options.settings()
        // What a target refuses does not change from one round to the next.
        settings.checks = settings.checks && round == 1
        let session: TargetSession
        do {
            session = try await TargetSession.open(
                file, setting: options.setting(algorithm), settings: settings, workplace: workplace)
        } catch {
            return note("\(file.name), \(algorithm.rawValue): left out, \(Self.firstLine("\(error)")).")
        }
        do {
            for load in loads { try await measure(load, session, file, algorithm, round: round) }
        } catch {
            note("\(file.name), \(algorithm.rawValue): \(Self.firstLine("\(error)")).")
        }
        await session.close()
    }

    private mutating func measure(
        _ load: TableLoad, _ session: TargetSession, _ file: TargetFile, _ algorithm: SignatureAlgorithm, round: Int
    ) async throws {
        var shape = load.shape(options, concurrency: concurrency, algorithm: algorithm)
        switch load {
        case .redeem:
            // Only where there is a code to redeem; a page that needs a session is another thing.
            guard file.callback.codeParameter != nil, file.redeem != nil else { return }
        case .half:
            guard let rate = halfOfCapacity(file.name, algorithm, round: round) else { return }
            shape.rate = rate
        case .signIn, .start, .one:
            break
        }
        let run = try await session.measure(shape, round: round)
        runs.append(run)
        StandardError.write("\n" + RunTable.text(run) + "\n")
        if run.verified == 0 { note("\(file.name): no sign-in was verified: \(shape.title).") }
    }

    /// Half of the sign-ins that the target's processors can do by what one of them cost in this round.
    private func halfOfCapacity(_ target: String, _ algorithm: SignatureAlgorithm, round: Int) -> Double? {
        let closed = runs.last {
            $0.target == target && $0.round == round && $0.shape.loop == .closed && $0.shape.extent == .signIn
                && $0.shape.algorithm == algorithm.rawValue && $0.shape.concurrency == concurrency
                && $0.shape.redeemed < 0.5
        }
        guard let cost = closed?.usage?.secondsPerThousand, cost > 0 else { return nil }
        let processors = Double(options.settings().targetProcessors?.numbers.count ?? 1)
        return (500 / cost * processors).rounded()
    }

    private mutating func note(_ text: String) {
        guard !notes.contains(text) else { return }
        notes.append(text)
        StandardError.write(text)
    }

    private static func firstLine(_ text: String) -> String {
        String(text.prefix { !$0.isNewline })
    }
}
