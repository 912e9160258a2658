// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerState
public import OpenIDRelyingParty
public import SingleUse

extension InMemorySingleUseStore {
    /// Creates an empty store.
    /// - Parameters:
    ///   - capacity: The maximum number of claims, of records, and of records that wait, if `bytes` allows as many.
    ///   - bytes: The size of the full store, without an additional eighth for claims that have an owner and a sixteenth
    ///     for spare records. One half is for claims, which are needed until the end of a login, ten minutes where no
    ///     provider has longer ones. Five sixteenths are for records that are removed when they are redeemed, or after a
    ///     minute; a redemption leaves a claim for ten minutes as well. These two lend each other a quarter of what is
    ///     theirs. Three sixteenths are for records that wait for minutes. 128 MiB suffice for 2,000 sign-ins a second
    ///     without end, and for 600 of logins that live for an hour. Clamped to `allowedBytes`.
    ///   - clock: The clock that measures lifetimes.
    ///   - wallClock: The clock by which logins expire. A claim outlives its login also where this clock is set back.
    public convenience init(
        capacity: Int = .max, bytes: Int = InMemorySingleUseStore.defaultBytes,
        clock: any ElapsedClock = SystemElapsedClock(), wallClock: any UnixClock = SystemUnixClock()
    ) {
        self.init(
            capacity: capacity, bytes: bytes,
            lifetimes: Lifetimes(
                ownedClaims: NativeCredentialFlow.claimLifetime,
                lastingClaims: NotificationEndpoint.claimLifetime, records: HandOff.lifetime),
            elapsed: { clock.now() }, wall: { wallClock.now() })
    }
}
