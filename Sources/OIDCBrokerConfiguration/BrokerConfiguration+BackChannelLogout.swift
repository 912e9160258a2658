// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

extension BrokerConfiguration {
    /// Whether there is an app that hears of the end of its sessions.
    package var hasBackChannelLogout: Bool { apps.contains { $0.backChannelLogoutEndpoint != nil } }
}

extension BrokerConfiguration.App {
    /// Where the app hears of the end of its sessions; `nil` if it does not.
    package var backChannelLogoutEndpoint: AbsoluteURL? { backchannelLogoutURI.flatMap { AbsoluteURL($0) } }
}
