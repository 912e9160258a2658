// SPDX-License-Identifier: Apache-2.0

/// The scripts of the store, which are constant.
///
/// Those for a server whose standbys are waited for write again what the same attempt asks again: a `WAIT` after a
/// command that wrote nothing says nothing of what was written before. The lifetime that is left is set once more,
/// which goes to the standbys and changes nothing.
extension ValkeyCommands {
    /// Takes a value. It answers with `0` if there is no value and none was taken, with `1` if another attempt took it
    /// or it was removed since, and with `2` and the value. The value remains, so that the same attempt gets it again
    /// if the answer is lost.
    static let takeScript = """
        local claim = redis.call('GET', KEYS[2])
        if claim and claim ~= ARGV[1] then return {1} end
        local value = redis.call('GET', KEYS[1])
        if not value then
            if claim then return {1} end
            return {0}
        end
        if not claim then
            local rest = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2]))
            redis.call('SET', KEYS[2], ARGV[1], 'PX', string.format('%.0f', rest))
        end
        return {2, value}
        """

    /// Takes a value as ``takeScript`` does, and writes the claim of the same attempt again. The value then lives for 20
    /// seconds at least, longer than an attempt asks for it again.
    static let confirmedTakeScript = """
        local claim = redis.call('GET', KEYS[2])
        if claim and claim ~= ARGV[1] then return {1} end
        local value = redis.call('GET', KEYS[1])
        if not value then
            if claim then return {1} end
            return {0}
        end
        if redis.call('PTTL', KEYS[1]) < 20000 then redis.call('PEXPIRE', KEYS[1], 20000) end
        if claim then
            local rest = math.max(redis.call('PTTL', KEYS[2]), 1)
            redis.call('PEXPIRE', KEYS[2], string.format('%.0f', rest))
        else
            local rest = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2]))
            redis.call('SET', KEYS[2], ARGV[1], 'PX', string.format('%.0f', rest))
        end
        return {2, value}
        """

    /// Claims a key unless it is claimed, and answers with the attempt that claimed it before, as `SET` does with `NX`
    /// and `GET`. It writes the claim of the same attempt again.
    static let confirmedClaimScript = """
        local claim = redis.call('GET', KEYS[1])
        if not claim then
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        elseif claim == ARGV[1] then
            local rest = math.max(redis.call('PTTL', KEYS[1]), 1)
            redis.call('PEXPIRE', KEYS[1], string.format('%.0f', rest))
        end
        return claim
        """

    /// Removes a value if it is the given one.
    static let removeScript = """
        if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('UNLINK', KEYS[1]) end
        return 0
        """
}
