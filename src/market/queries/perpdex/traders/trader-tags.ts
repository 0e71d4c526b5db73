/** Tags that describe a trader. They are this sandbox's own, from figures of 30 days. */
import { HOUR_MS } from '../../../../clock/durations.ts'
import { usd, ZERO } from '../../../../decimal/quantity.ts'
import { netValueOf } from './account-record.ts'
import type { SearchCandidate } from './search-candidate.ts'

const DAYS = 30

interface Tag {
  en: string
  cn: string
  isTrueOf: (candidate: SearchCandidate) => boolean
}

/** A million dollars. */
const LARGE = usd(1_000_000_000_000)

/** Few positions say little. */
const POSITIONS_MIN = 10

const TAGS: readonly Tag[] = [
  {
    en: 'Whale',
    cn: '巨鲸',
    isTrueOf: ({ snapshot }) => netValueOf(snapshot) >= LARGE,
  },
  {
    en: 'Smart Money',
    cn: '聪明钱',
    isTrueOf(candidate) {
      const { count, wins, pnl } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && wins >= 0.55 * count && pnl > ZERO
    },
  },
  {
    en: 'Active Trader',
    cn: '交易活跃',
    isTrueOf: (candidate) => candidate.sums(DAYS).count >= 75,
  },
  {
    en: 'Scalper',
    cn: '短线交易',
    isTrueOf(candidate) {
      const { count, heldMs } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && heldMs < 4 * HOUR_MS * count
    },
  },
  {
    en: 'Swing Trader',
    cn: '波段交易',
    isTrueOf(candidate) {
      const { count, heldMs } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && heldMs >= 24 * HOUR_MS * count
    },
  },
  {
    en: 'High Leverage',
    cn: '高杠杆',
    isTrueOf(candidate) {
      const { count, leverage } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && leverage >= 12 * count
    },
  },
  {
    en: 'Mostly Long',
    cn: '偏多',
    isTrueOf(candidate) {
      const { count, longCount } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && longCount >= 0.65 * count
    },
  },
  {
    en: 'Mostly Short',
    cn: '偏空',
    isTrueOf(candidate) {
      const { count, longCount } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && longCount <= 0.35 * count
    },
  },
  {
    en: 'Dormant',
    cn: '沉寂',
    isTrueOf: (candidate) =>
      candidate.sums(7).count === 0 && candidate.snapshot.main.positions.length === 0,
  },
]

/** The tags of a trader in a language. */
export function tagsOf(candidate: SearchCandidate, lang: 'en' | 'cn'): string[] {
  return TAGS.filter(({ isTrueOf }) => isTrueOf(candidate)).map((tag) => tag[lang])
}

/** Whether a trader has a tag, named in either language and any case. */
export function hasTag(candidate: SearchCandidate, name: string): boolean {
  const lowerCase = name.toLowerCase()
  const tag = TAGS.find(({ en, cn }) => en.toLowerCase() === lowerCase || cn === lowerCase)
  return tag?.isTrueOf(candidate) ?? false
}
