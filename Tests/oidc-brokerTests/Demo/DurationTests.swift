// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import oidc_broker_demo

struct DurationTests {
    @Test func `Durations in milliseconds`() {
        #expect(Duration.microseconds(12_345).milliseconds == "12.3")
        #expect(Duration.seconds(61).milliseconds == "61000.0")
        #expect(Duration.zero.milliseconds == "0.0")
    }
}
