import type { RandomSource } from '../../../random/random-source.ts'

/** Shares of the roles among the seeded traders, their fee rates, and the typical one's dollars. */
export const ROLE_PROFILES: Record<
  string,
  { share: number; usd: number; taker: number; maker: number }
> = {
  maker: { share: 0.07, usd: 180_000, taker: 240, maker: -10 },
  whale: { share: 0.12, usd: 800_000, taker: 350, maker: 80 },
  scalper: { share: 0.14, usd: 12_000, taker: 300, maker: 50 },
  twap: { share: 0.07, usd: 200_000, taker: 350, maker: 110 },
  swing: { share: 0.24, usd: 25_000, taker: 430, maker: 140 },
  builderUser: { share: 0.12, usd: 8_000, taker: 450, maker: 150 },
  quiet: { share: 0.24, usd: 10_000, taker: 450, maker: 150 },
}

/** Of roles that are not seeded. */
export const ORDINARY = { usd: 20_000, taker: 450, maker: 150 }

/** Wealth: a log-normal body, and a tail above so many times the typical one. */
const BODY_SPREAD = 1.4
const TAIL = { chance: 0.14, from: 2.5, exponent: 1.2, most: 14 }

/** Wealth against the typical one of a role. */
export function drawWealth(random: RandomSource): number {
  const { chance, from, exponent, most } = TAIL
  if (random.chance(chance)) return Math.min(most, from * (1 - random.unit()) ** (-1 / exponent))
  return Math.exp(BODY_SPREAD * random.normal())
}
