/** Meaningful values of a world, and values that often break programs. */
import fc from 'fast-check'
import { meaningOf } from '../../src/contract/meaning.ts'
import type { TSchema } from '../../src/contract/schema.ts'

const HOSTILE = [
  'toString',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '1e309',
  'NaN',
  '%',
  '\u0000',
  '../../etc/passwd',
  "' or 1=1 --",
  '\ud800',
  '9'.repeat(400),
]

export interface Vocabulary {
  /** Text from the world, from the contract, or arbitrary. */
  junk: fc.Arbitrary<string>
  /** The world's values for a schema. */
  known(schema: TSchema): readonly unknown[]
}

/** All values of a cast, by their meaning, and mixed elsewhere. */
export function vocabularyOf(cast: object): Vocabulary {
  const all = [...new Set(leavesOf(cast).map(String))]
  const addresses = all.filter((text) => /^0x[0-9a-f]{40}$/.test(text))
  const instants = all.filter((text) => /^1[67]\d{11}$/.test(text)).map(Number)
  const lists = cast as Record<string, unknown>
  const symbols = ['symbols', 'coinKeys', 'indexKeys', 'stockTickers'].flatMap((name) =>
    leavesOf(lists[name]),
  )
  const byMeaning: Record<string, readonly unknown[]> = {
    coin: leavesOf(lists.coins),
    address: addresses,
    symbol: symbols,
    instant: instants,
    rangeStart: instants,
    rangeEnd: instants,
  }
  return {
    junk: junkOf([...all, ...HOSTILE]),
    known(schema) {
      const list = schema['x-cast'] as string | undefined
      if (list !== undefined) return leavesAt(cast, list.split('.'))
      return byMeaning[meaningOf(schema) ?? ''] ?? []
    },
  }
}

const junkOf = (words: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('1m', '15m', '1h', '1d', '7d', '60d', 'BTC', 'all', 'true', 'desc'),
  )

/** The texts and numbers in a value. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** `openPositions.coin`: the coin of each of the open positions. */
function leavesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesAt(one, [name ?? '', ...rest]))
  if (name === undefined) return leavesOf(value)
  const inner = (value as Record<string, unknown>)[name]
  return rest.length === 0 ? leavesOf(inner) : leavesAt(inner, rest)
}
