// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty

/// What the answers of a server to ``ValkeyHandshake`` and those of sentinels mean for the operator who sets them up. It
/// performs no I/O.
struct ValkeyDiagnosis {
    /// The longest `down-after-milliseconds` with which a callback has the time to learn that standbys died.
    private static let longestDownAfter: Int64 = 2500

    /// The number of standbys that are waited for.
    let standbysToWaitFor: Int
    /// The time of this machine, in seconds since 1970.
    let now: Int64

    /// The checks of a server.
    /// - Parameter answers: The answers in their order.
    func checks(
        of server: String,
        _ answers: [(question: ValkeyHandshake.Question, answer: Result<RESPValue, ValkeyStoreError>)]
    ) -> [LiveCheck] {
        let failures = answers.compactMap { entry -> ValkeyStoreError? in
            if case .failure(let error) = entry.answer { error } else { nil }
        }
        if let failure = failures.first, failures.count == answers.count { return [unreached(server, failure)] }
        let refused = answers.contains { entry in
            guard case .success(let answer) = entry.answer else { return false }
            return refusal(of: answer, to: entry.question) == .wrongPassword
        }
        let password = LiveCheck.store(
            .storePassword, refused ? .wrong : .ok, found: refused ? "refused" : "accepted",
            wanted: "a user with permission for the broker's commands",
            advice: "Check auth.store.valkey.username and .password, and the user's permissions at the server.")
        let reached = LiveCheck.store(
            .store, .ok, found: "\(server) answers", wanted: "a server that answers", advice: "")
        return [reached, password]
            + answers.flatMap { entry -> [LiveCheck] in
                switch entry.answer {
                case .failure(let error): [unreached(server, error)]
                case .success(let answer): checks(of: answer, to: entry.question)
                }
            }
    }

    /// The check of a server that could not be asked.
    func unreached(_ server: String, _ error: ValkeyStoreError) -> LiveCheck {
        .store(
            .store, error.isRefusal ? .wrong : .unreachable, found: "\(server): \(error)",
            wanted: "a server that answers",
            advice: error == .notEncrypted
                ? "Set auth.store.valkey.tls, or use an address of a private network."
                : "Check auth.store.valkey.address, the network, and TLS on both sides.")
    }

    /// The check of one sentinel.
    func check(
        ofSentinel sentinel: ValkeyAddress, primaryName: String, _ answer: Result<WatchedPrimary, ValkeyStoreError>
    ) -> LiveCheck {
        let wanted = "a sentinel that reaches the primary '\(primaryName)'"
        switch answer {
        case .failure(let error):
            return .store(
                .storeSentinel, error.isRefusal ? .wrong : .unreachable, found: "\(sentinel): \(error)", wanted: wanted,
                advice:
                    "Check auth.store.valkey.sentinels, .primary-name and .sentinel-password, and that the user may "
                    + "ask for SENTINEL MASTER.")
        case .success(let primary):
            let milliseconds = primary.downAfter.nanoseconds / 1_000_000
            let isSlow = standbysToWaitFor > 0 && milliseconds > Self.longestDownAfter
            return .store(
                .storeSentinel, !primary.isReached ? .wrong : isSlow ? .unknown : .ok,
                found: "\(sentinel): \(primary.address), \(primary.isReached ? "reached" : "not reached"), "
                    + "down-after-milliseconds \(milliseconds)",
                wanted: wanted + (standbysToWaitFor > 0 ? ", and down-after-milliseconds up to 2500" : ""),
                advice: primary.isReached
                    ? "Set down-after-milliseconds to 1000." : "Check the primary and the network to it.")
        }
    }

    /// Why the broker refuses a server with this answer; `nil` if it does not.
    private func refusal(of answer: RESPValue, to question: ValkeyHandshake.Question) -> ValkeyStoreError? {
        do throws(ValkeyStoreError) {
            _ = try ValkeyHandshake.examine(answer, to: question)
            return nil
        } catch {
            return error
        }
    }

    private func checks(of answer: RESPValue, to question: ValkeyHandshake.Question) -> [LiveCheck] {
        let error = refusal(of: answer, to: question)
        // That is said once, and nothing more is known then.
        if error == .wrongPassword { return [] }
        let verdict: LiveCheck.Verdict = error == nil ? .ok : .wrong
        let info = try? ValkeyHandshake.info(answer)
        func found(_ text: String?) -> String { text ?? error?.description ?? "nothing" }
        switch question {
        case .authenticate, .name: return error.map { [refused($0)] } ?? []
        case .select: return error.map { [refused($0.with("the database cannot be selected"))] } ?? []
        case .server:
            let version = info?["valkey_version"].map { "valkey \($0)" } ?? info?["redis_version"].map { "redis \($0)" }
            return [
                .store(
                    .storeVersion, verdict,
                    found: found(error == .isCluster ? version.map { "\($0), a node of a cluster" } : version),
                    wanted: "version 7 or later, not in a cluster",
                    advice: "Use a server of version 7 or later that is not part of a cluster.")
            ]
        case .replication:
            let role = LiveCheck.store(
                .storeRole, verdict, found: found(info?["role"].map { "role \($0)" }), wanted: "role master",
                advice: "Set auth.store.valkey.address to the primary, or set auth.store.valkey.sentinels.")
            return standbysToWaitFor > 0 && error == nil ? [role, standbys(info)] : [role]
        case .memory:
            return [
                .store(
                    .storePolicy, verdict, found: found(info?["maxmemory_policy"].map { "maxmemory-policy \($0)" }),
                    wanted: "maxmemory-policy noeviction",
                    advice: "Set maxmemory-policy to noeviction at the server: other policies can evict claims.")
            ]
        case .time:
            guard let seconds = try? ValkeyHandshake.examine(answer, to: .time) else {
                return [
                    .store(.storeClock, .wrong, found: found(nil), wanted: "the time", advice: "Use another server.")
                ]
            }
            return [.storeClock(seconds, now: now)]
        }
    }

    private func standbys(_ info: ValkeyInfo?) -> LiveCheck {
        let count = info?["connected_slaves"].flatMap { RESPNumber.integer($0.utf8) } ?? 0
        return .store(
            .storeStandbys, count >= Int64(standbysToWaitFor) ? .ok : .wrong, found: "\(count) connected",
            wanted: "at least \(standbysToWaitFor)",
            advice: "Start standbys, or lower auth.store.valkey.standbys-to-wait-for.")
    }

    private func refused(_ error: ValkeyStoreError) -> LiveCheck {
        .store(
            .store, .wrong, found: "\(error)", wanted: "a server that accepts the broker's commands",
            advice: "Check auth.store.valkey.username, .password and .database.")
    }
}
