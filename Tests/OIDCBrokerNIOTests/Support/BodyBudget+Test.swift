// SPDX-License-Identifier: Apache-2.0

@testable import OIDCBrokerNIO

extension BodyBudget {
    /// A budget of so many bytes.
    convenience init(beginnings: Int = 1 << 20, remainders: Int = 1 << 20, bytesOfAddress: Int = 1 << 20) {
        self.init(
            beginnings: BodyPool(maximumBytes: beginnings, bytesOfAddress: bytesOfAddress),
            remainders: BodyPool(maximumBytes: remainders, bytesOfAddress: bytesOfAddress))
    }

    /// The number of counted bytes in use.
    var bytesInUse: Int { self.beginnings.bytesInUse + self.remainders.bytesInUse }

    /// The number of networks that use counted bytes, in each of the pools: one for an IPv4 address, three for an IPv6
    /// one.
    var networkCounts: [Int] { [self.beginnings.networkCount, self.remainders.networkCount] }
}
