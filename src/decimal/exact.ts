/** Exact decimal numbers of any size: sums, and products of prices and sizes. */
export class Exact {
  private constructor(
    /** In units of 10^-decimals. */
    private readonly units: bigint,
    private readonly decimals: number,
  ) {}

  /** Parses a decimal text, or a number as it is written. */
  static of(text: string | number): Exact {
    const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? []
    if (sign === undefined) throw new RangeError(`"${text}" is not a decimal number`)
    return new Exact(BigInt(`${sign}${whole}${part}`), part.length)
  }

  static sum(all: Iterable<Exact>): Exact {
    let sum = Exact.of(0)
    for (const one of all) sum = sum.plus(one)
    return sum
  }

  plus(other: Exact): Exact {
    const decimals = Math.max(this.decimals, other.decimals)
    return new Exact(this.at(decimals) + other.at(decimals), decimals)
  }

  minus(other: Exact): Exact {
    return this.plus(other.negated())
  }

  times(other: Exact): Exact {
    return new Exact(this.units * other.units, this.decimals + other.decimals)
  }

  negated(): Exact {
    return new Exact(-this.units, this.decimals)
  }

  absolute(): Exact {
    return this.units < 0n ? this.negated() : this
  }

  isAtMost(other: Exact): boolean {
    const decimals = Math.max(this.decimals, other.decimals)
    return this.at(decimals) <= other.at(decimals)
  }

  /** A decimal text without trailing zeros. */
  toString(): string {
    const digits = (this.units < 0n ? -this.units : this.units)
      .toString()
      .padStart(this.decimals + 1, '0')
    const whole = digits.slice(0, digits.length - this.decimals)
    const part = digits.slice(whole.length).replace(/0+$/, '')
    const sign = this.units < 0n ? '-' : ''
    return part === '' ? `${sign}${whole}` : `${sign}${whole}.${part}`
  }

  /** As in answers: a decimal text. */
  toJSON(): string {
    return this.toString()
  }

  private at(decimals: number): bigint {
    return this.units * 10n ** BigInt(decimals - this.decimals)
  }
}
