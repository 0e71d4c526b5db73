/** A market small enough to know by heart, for tests of clock, player and sessions. */
import type { Machine } from '../src/clock/machine.ts'
import type { Facts, Happening, Moment } from '../src/contract/facts.ts'
import { credentials } from '../src/contract/signature.ts'
import { Registry } from '../src/sandbox/registry.ts'
import type { Stage } from '../src/sandbox/stage.ts'
import type { Wish } from '../src/sandbox/wish.ts'
import { still, stillS } from './still-machine.ts'

export const START_MS = 1_700_000_000_000
export const ADDRESS = '0x00000000000000000000000000000000000000aa'

/** A book each second, its bid one higher each time; a trade each two seconds; 60 s in all. */
export function toyStage(seconds = 60): Stage {
  const happenings: Happening[] = []
  for (let s = 1; s <= seconds; s++) {
    const timeMs = START_MS + s * 1000
    if (s % 2 === 0)
      happenings.push({ kind: 'trade', timeMs, coin: 'BTC', trades: [trade(timeMs)] })
    happenings.push({ kind: 'book', timeMs, coin: 'BTC' })
    happenings.push({ kind: 'bbo', timeMs, coin: 'BTC', bbo: bbo(timeMs) })
  }
  return {
    id: 'toy',
    story: {
      startMs: START_MS,
      endMs: START_MS + seconds * 1000,
      chunkMs: 10_000,
      chunk: (index) =>
        happenings.filter((one) => Math.floor((one.timeMs - START_MS) / 10_000) === index),
    },
    facts: (moment) => toyFacts(moment),
    cast: () => ({}),
  }
}

function step(timeMs: number): number {
  return Math.floor((timeMs - START_MS) / 1000)
}

function level(px: number) {
  return { px: `${px}.0`, sz: '1.0', n: 1 }
}

function bbo(timeMs: number) {
  const n = step(timeMs)
  return { coin: 'BTC', time: timeMs, bbo: [level(100 + n), level(102 + n)] as [Lv, Lv] }
}

type Lv = ReturnType<typeof level>

function trade(timeMs: number) {
  return {
    coin: 'BTC',
    side: 'B' as const,
    px: `${101 + step(timeMs)}.0`,
    sz: '0.5',
    time: timeMs,
    hash: '0x00',
    tid: step(timeMs),
    users: [ADDRESS, ADDRESS] as [string, string],
  }
}

function toyFacts(moment: Moment): Facts {
  const bookTimeMs = START_MS + step(moment.atMs) * 1000
  const book = {
    coin: 'BTC',
    time: bookTimeMs,
    levels: bbo(bookTimeMs).bbo.map((side) => [side]) as [Lv[], Lv[]],
  }
  const candle = (lengthMs: number) => {
    const t = Math.floor((moment.atMs + moment.shiftMs) / lengthMs) * lengthMs - moment.shiftMs
    const n = Math.max(0, step(moment.atMs) - step(t))
    return {
      t,
      T: t + lengthMs - 1,
      s: 'BTC',
      i: '1m',
      o: '1',
      c: `${n}`,
      h: '1',
      l: '1',
      v: '1',
      n,
      a: '1',
      nb: 0,
      vb: '0',
      ab: '0',
    }
  }
  return {
    moment,
    coins: { list: () => [], tickers: () => [] },
    market: {
      isCoin: (coin: string) => coin === 'BTC',
      tickers: () => [{ coin: 'BTC', price: '101' }],
      ticker: () => null,
      recentTrades: () => [trade(bookTimeMs)],
    },
    books: { l2: () => book, bbo: () => bbo(bookTimeMs) },
    candles: { last: () => candle(60_000), at: () => candle(60_000), between: () => null },
    interest: { history: ({ windowMs }: { windowMs: number }) => [windowMs] },
    venue: { dexNames: () => ['', 'xyz'] },
    depth: { full: () => null, grouped: () => null },
    accounts: {
      native: () => ({ time: moment.atMs }),
      perp: () => ({ time: moment.atMs }),
      states: () => [],
    },
    fills: {
      ofAddress: (_: string, { limit }: { limit: number }) => Array(limit).fill(0),
      native: () => [],
      nativeBetween: () => [],
    },
  } as unknown as Facts
}

/**
 * A registry over the toy market with its default sandbox open, on a machine that stands still
 * unless another is given.
 */
export async function toyRegistry(
  wish: Wish = {},
  seconds = 60,
  by: Machine = still,
): Promise<Registry> {
  const stage = toyStage(seconds)
  const standing = { clock: 'held', ...wish } as const
  const registry = new Registry(async () => stage, ['HL_TICKERS'], standing, by)
  await registry.open()
  return registry
}

let nonce = 0

/** A signed query string, signed now by the machine that stands still unless it says otherwise. */
export function signed(accessKey = 'demo', ageS = 0, secretKey = `${accessKey}-secret`): string {
  const timestampS = stillS() - ageS
  const parts = credentials({ accessKey, secretKey, nonce: String(nonce++), timestampS })
  return new URLSearchParams({ ...parts }).toString()
}
