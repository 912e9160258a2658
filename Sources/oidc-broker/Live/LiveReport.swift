// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OpenIDRelyingParty

    /// The checks as text or JSON, and the exit status that they lead to.
    struct LiveReport: Sendable {
        let checks: [LiveCheck]

        /// The exit status of a provider that cannot be reached: `EX_UNAVAILABLE` of sysexits.h.
        static let unavailable: Int32 = 69
        /// The exit status of a configuration that is wrong: `EX_CONFIG` of sysexits.h.
        static let wrong: Int32 = 78

        /// The worst verdict. What cannot be told is no error.
        var verdict: LiveCheck.Verdict {
            if checks.contains(where: { $0.verdict == .wrong }) { return .wrong }
            return checks.contains { $0.verdict == .unreachable } ? .unreachable : .ok
        }

        /// The exit status.
        var status: Int32 {
            switch verdict {
            case .wrong: Self.wrong
            case .unreachable: Self.unavailable
            case .ok, .unknown: 0
            }
        }

        /// A line for each check, and one with how many came out how.
        var lines: [String] { checkLines + [summary] }

        private var summary: String {
            let counts = LiveCheck.Verdict.allCases.map { verdict in
                (verdict, checks.count { $0.verdict == verdict })
            }.filter { $1 > 0 }.map { "\($1) \($0.rawValue)" }
            let sum = checks.isEmpty ? "no checks" : counts.joined(separator: ", ")
            return switch verdict {
            case .ok, .unknown: "Summary: \(sum)."
            case .wrong: "Summary: \(sum). Sign-ins fail, or will soon, until each line with 'wrong' is fixed."
            case .unreachable: "Summary: \(sum). Try again when the unreachable servers are back."
            }
        }

        private var checkLines: [String] {
            checks.map { check in
                let place = check.provider.map { "\($0) " } ?? ""
                return "\(check.verdict.rawValue): \(place)\(check.subject.rawValue): found \(check.found); "
                    + "expected \(check.wanted)" + (check.advice.map { ". \($0)" } ?? "")
            }
        }

        /// One JSON object with the worst verdict and all checks.
        var json: [UInt8] {
            let list = checks.map { check -> JSONValue in
                [
                    "id": .string(check.subject.rawValue), "provider": check.provider.map(JSONValue.string) ?? .null,
                    "result": .string(check.verdict.rawValue), "found": .string(check.found),
                    "wanted": .string(check.wanted), "advice": check.advice.map(JSONValue.string) ?? .null,
                ]
            }
            return (["result": .string(verdict.rawValue), "checks": .array(list)] as JSONObject).serialized()
        }
    }
#endif
