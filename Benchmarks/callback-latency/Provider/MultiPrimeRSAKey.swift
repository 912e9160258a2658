// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A key for RS256 that signs far faster than an ordinary one and protects nothing.
///
/// Its modulus has 2,048 bits as usual, but 32 prime factors of 64 bits instead of two (RFC 8017 section 3.2 allows
/// more than two). A private operation consists of 32 short exponentiations, combined by the Chinese remainder theorem.
/// The result is an ordinary PKCS#1 v1.5 signature, and verifying it is exactly as much work as for any RS256
/// signature. The modulus is easy to factor; the key is for a provider on loopback that must not be the bottleneck.
///
/// The primes are chosen so that their private exponents have 49 bits: (2 (p - 1) + 1) / 65537 is a whole number.
struct MultiPrimeRSAKey: Sendable {
    /// A prime factor with precomputed values.
    fileprivate struct Factor: Sendable {
        let prime: UInt64
        /// -prime^-1 mod 2^64.
        let negativeInverse: UInt64
        /// 2^64 mod prime, which is one in Montgomery form.
        let one: UInt64
        /// 2^128 mod prime, which converts a number to Montgomery form.
        let square: UInt64
        /// The private exponent mod prime - 1, at most 49 bits.
        let exponent: UInt64
        /// The encoded message of an all-zero digest mod prime.
        let padding: UInt64
        /// The inverse of the cofactor mod prime.
        let cofactorInverse: UInt64
    }

    private static let publicExponent: UInt64 = 65_537
    private static let factorCount = 32
    /// The maximum number of bits of the private exponents, a multiple of four.
    private static let exponentBits = 52
    /// DigestInfo of SHA-256 up to the digest (RFC 8017 section 9.2 note 1).
    private static let digestInfo: [UInt8] = [
        0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ]

    /// The words of the modulus, least significant first.
    private let modulus: [UInt64]
    private let factors: [Factor]
    /// The words of modulus / prime for each factor, least significant first.
    private let cofactors: [[UInt64]]

    /// Generates a key.
    init() {
        var primes: [UInt64] = []
        while primes.count < Self.factorCount {
            // Six leading ones in each, so that the product of 32 has 2,048 bits, with a margin for what is added.
            var candidate = UInt64.random(in: .min ... .max) >> 6 | 0xFC00_0000_0000_0000
            guard candidate < .max - 3 * Self.publicExponent else { continue }
            // Half of one modulo the public exponent, which makes the private exponent short.
            candidate += Self.publicExponent + Self.publicExponent / 2 + 1 - candidate % Self.publicExponent
            if candidate.isMultiple(of: 2) { candidate += Self.publicExponent }
            guard !primes.contains(candidate), candidate.isPrime else { continue }
            primes.append(candidate)
        }
        modulus = Self.product(primes)
        let encoded = Self.words(Self.encodedMessage(digest: [UInt8](repeating: 0, count: 32)))
        cofactors = primes.map { prime in Self.product(primes.filter { $0 != prime }) }
        factors = primes.map { prime in
            let others = primes.filter { $0 != prime }
            let residue = others.reduce(UInt64(1)) { $0.times($1 % prime, modulo: prime) }
            let one = 0 &- prime
            return Factor(
                prime: prime, negativeInverse: 0 &- prime.inverseOfOdd, one: one,
                square: one.times(one, modulo: prime), exponent: Self.privateExponent(prime),
                padding: Self.remainder(encoded, prime),
                cofactorInverse: residue.power(prime - 2, modulo: prime))
        }
    }

    /// The public key as a JWK (RFC 7518 section 6.3.1).
    func publicJWK(keyID: String) -> JSONObject {
        [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID),
            "n": .string(Base64URL.encode(Self.bytes(modulus))), "e": "AQAB",
        ]
    }

    /// The RSASSA-PKCS1-v1_5 signature of a SHA-256 digest.
    func signature(ofDigest digest: [UInt8]) -> [UInt8] {
        let roots = roots(of: Self.words(digest))
        var sum = [UInt64](repeating: 0, count: Self.factorCount + 1)
        var multiples = 0.0
        for (index, root) in roots.enumerated() {
            multiples += Double(root) / Double(factors[index].prime)
            Self.add(root, times: cofactors[index], to: &sum)
        }
        // The sum is the signature plus some multiples of the modulus, whose number may be off by one because of
        // rounding.
        Self.subtract(UInt64(multiples), times: modulus, from: &sum)
        if sum[Self.factorCount] != 0 { Self.add(1, times: modulus, to: &sum) }
        if !Self.isBelow(sum, modulus) { Self.subtract(1, times: modulus, from: &sum) }
        return Self.bytes(Array(sum.prefix(Self.factorCount)))
    }

    /// For each factor, the encoded message of a digest raised to the private exponent, times the inverse of the
    /// cofactor, mod prime.
    ///
    /// The steps of one factor's exponentiation depend on each other. Interleaving the factors, four bits of the
    /// exponents at a time, lets the processor work on several at once.
    private func roots(of digest: [UInt64]) -> [UInt64] {
        var powers: [UInt64] = []
        powers.reserveCapacity(factors.count << 4)
        for factor in factors {
            let base = factor.base(of: digest)
            var power = factor.one
            for _ in 0..<16 {
                powers.append(power)
                power = factor.montgomery(power, base)
            }
        }
        var results = factors.map(\.one)
        for shift in stride(from: Self.exponentBits - 4, through: 0, by: -4) {
            for (index, factor) in factors.enumerated() {
                var result = results[index]
                for _ in 0..<4 { result = factor.montgomery(result, result) }
                let digit = Int(truncatingIfNeeded: factor.exponent >> UInt64(shift)) & 15
                results[index] = factor.montgomery(result, powers[index << 4 | digit])
            }
        }
        for (index, factor) in factors.enumerated() {
            results[index] = factor.montgomery(results[index], factor.cofactorInverse)
        }
        return results
    }

    // MARK: Set-up

    /// EMSA-PKCS1-v1_5 (RFC 8017 section 9.2).
    private static func encodedMessage(digest: [UInt8]) -> [UInt8] {
        let tail = digestInfo + digest
        let filling = [UInt8](repeating: 0xFF, count: factorCount * 8 - tail.count - 3)
        return [0x00, 0x01] + filling + [0x00] + tail
    }

    /// The inverse of the public exponent mod prime - 1.
    private static func privateExponent(_ prime: UInt64) -> UInt64 {
        let order = prime - 1
        let inverse = (order % publicExponent).power(publicExponent - 2, modulo: publicExponent)
        // (order * multiple + 1) is a multiple of the public exponent, and the quotient is the inverse.
        let multiple = publicExponent - inverse
        let product = order.multipliedFullWidth(by: multiple)
        let (low, carries) = product.low.addingReportingOverflow(1)
        let high = product.high &+ (carries ? 1 : 0)
        return publicExponent.dividingFullWidth((high, low)).quotient
    }

    private static func product(_ factors: [UInt64]) -> [UInt64] {
        var result: [UInt64] = [1]
        for factor in factors {
            var carry: UInt64 = 0
            for index in result.indices {
                let product = result[index].multipliedFullWidth(by: factor)
                let (low, carries) = product.low.addingReportingOverflow(carry)
                result[index] = low
                carry = product.high &+ (carries ? 1 : 0)
            }
            if carry > 0 { result.append(carry) }
        }
        return result + [UInt64](repeating: 0, count: max(0, factorCount - result.count))
    }

    // MARK: Words

    /// Converts big-endian bytes to words, most significant first.
    private static func words(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<min(start + 8, bytes.count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
    }

    /// Converts words, least significant first, to big-endian bytes.
    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.reversed().flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    fileprivate static func remainder(_ words: [UInt64], _ divisor: UInt64) -> UInt64 {
        words.reduce(UInt64(0)) { divisor.dividingFullWidth(($0, $1)).remainder }
    }

    private static func add(_ factor: UInt64, times words: [UInt64], to sum: inout [UInt64]) {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = factor.multipliedFullWidth(by: words[index])
            let (low, first) = product.low.addingReportingOverflow(carry)
            let (word, second) = sum[index].addingReportingOverflow(low)
            sum[index] = word
            carry = product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
        }
        sum[words.count] &+= carry
    }

    private static func subtract(_ factor: UInt64, times words: [UInt64], from sum: inout [UInt64]) {
        var borrow: UInt64 = 0
        for index in words.indices {
            let product = factor.multipliedFullWidth(by: words[index])
            let (low, first) = product.low.addingReportingOverflow(borrow)
            let (word, second) = sum[index].subtractingReportingOverflow(low)
            sum[index] = word
            borrow = product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
        }
        sum[words.count] &-= borrow
    }

    private static func isBelow(_ left: [UInt64], _ right: [UInt64]) -> Bool {
        guard left[right.count] == 0 else { return false }
        for index in right.indices.reversed() where left[index] != right[index] { return left[index] < right[index] }
        return false
    }
}

extension MultiPrimeRSAKey.Factor {
    /// The encoded message of a digest mod prime, in Montgomery form.
    fileprivate func base(of digest: [UInt64]) -> UInt64 {
        let hash = MultiPrimeRSAKey.remainder(digest, prime)
        let (message, carries) = hash.addingReportingOverflow(padding)
        return montgomery(carries || message >= prime ? message &- prime : message, square)
    }

    /// left * right / 2^64 mod prime.
    fileprivate func montgomery(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        let reduction = (product.low &* negativeInverse).multipliedFullWidth(by: prime)
        let carry: UInt64 = product.low.addingReportingOverflow(reduction.low).overflow ? 1 : 0
        let (high, first) = product.high.addingReportingOverflow(reduction.high)
        let (sum, second) = high.addingReportingOverflow(carry)
        return first || second || sum >= prime ? sum &- prime : sum
    }
}

extension UInt64 {
    /// The product modulo a number that is larger than both factors.
    fileprivate func times(_ other: UInt64, modulo: UInt64) -> UInt64 {
        modulo.dividingFullWidth(multipliedFullWidth(by: other)).remainder
    }

    /// The power modulo a number that is larger than this one.
    fileprivate func power(_ exponent: UInt64, modulo: UInt64) -> UInt64 {
        var result: UInt64 = 1
        var square = self
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = result.times(square, modulo: modulo) }
            square = square.times(square, modulo: modulo)
            rest >>= 1
        }
        return result
    }

    /// The inverse of an odd number modulo 2^64 by Newton's method, in which each step doubles the correct bits.
    fileprivate var inverseOfOdd: UInt64 {
        var inverse = self
        for _ in 0..<6 { inverse = inverse &* (2 &- self &* inverse) }
        return inverse
    }

    /// Whether an odd number above 37 is prime, by the Miller-Rabin test with bases that are deterministic below 2^64.
    fileprivate var isPrime: Bool {
        let bases: [UInt64] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
        guard !bases.contains(where: { self % $0 == 0 }) else { return false }
        let twos = (self - 1).trailingZeroBitCount
        let odd = (self - 1) >> UInt64(twos)
        return bases.allSatisfy { base in
            var witness = base.power(odd, modulo: self)
            if witness == 1 || witness == self - 1 { return true }
            for _ in 1..<Swift.max(twos, 1) {
                witness = witness.times(witness, modulo: self)
                if witness == self - 1 { return true }
            }
            return false
        }
    }
}
