// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct TokenHashTests {
    /// OpenID Connect Core 1.0 appendices A.3 and A.4.
    @Test func `the examples of the standard`() {
        #expect(
            TokenHash.leftHalf(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", algorithm: .rs256)
                == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(
            TokenHash.leftHalf(
                of: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", algorithm: .rs256)
                == "LDktKdoQak3Pk0cnXxCltA")
    }

    /// Made with Python's hashlib.
    @Test(
        arguments: [
            ([.rs256, .ps256, .es256, .hs256], "77QmUPtjPfzWtF2AnpK9RQ"),
            ([.rs384, .ps384, .es384, .hs384], "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs"),
            ([.rs512, .ps512, .es512, .eddsa, .ed25519, .hs512], "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"),
        ] as [([JSONWebAlgorithm], String)])
    func `each algorithm takes its own hash`(algorithms: [JSONWebAlgorithm], expected: String) {
        for algorithm in algorithms {
            #expect(
                TokenHash.leftHalf(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", algorithm: algorithm) == expected)
        }
    }

    @Test func `no algorithm is forgotten here`() {
        let lengths = JSONWebAlgorithm.allCases.map { TokenHash.leftHalf(of: "", algorithm: $0).utf8.count }
        #expect(lengths.filter { $0 == 22 }.count == 4)
        #expect(lengths.filter { $0 == 32 }.count == 4)
        #expect(lengths.filter { $0 == 43 }.count == 6)
    }
}
