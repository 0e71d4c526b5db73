import { expect, test } from 'bun:test'
import { synthesise } from '../../src/tape/synth/synthesis.ts'

const START_MS = Date.UTC(2026, 0, 15, 12)
const SECONDS = 1200
/**
 * Mid price and spread of each book at the end of each second, and traded dollars over all books.
 */
const { MIDS, SPREADS, DOLLARS } = watch(1)

test('about minute 13 the large ones fall by one to two and a half percent and come back', () => {
  for (const coin of ['BTC', 'ETH', 'SOL']) {
    const [before, low] = [mids(coin).slice(700, 800), Math.min(...mids(coin).slice(750, 840))]
    expect(worstMinute(coin, 700, 860)).toBeWithin(0.01, 0.025)
    const back = ((mids(coin)[1100] ?? 0) - low) / (Math.max(...before) - low)
    expect(back).toBeWithin(0.2, 1)
  }
})

test('from minute 6 to 8 little is traded and spreads are narrow', () => {
  // Of a usual second: one block may be as large as all others of a minute.
  const usual = (from: number, to: number) => median(DOLLARS.slice(from, to))
  expect(usual(370, 470)).toBeLessThan(0.5 * usual(200, 300))
  for (const coin of ['BTC', 'ETH', 'SOL', 'HYPE', 'xyz:TSLA']) {
    const spread = (from: number, to: number) => mean((SPREADS.get(coin) ?? []).slice(from, to))
    // One tick is the minimum, and the three large ones hardly ever leave it.
    const most = ['BTC', 'ETH', 'SOL'].includes(coin) ? 1.1 : 0.9
    expect(spread(370, 470)).toBeLessThan(most * spread(60, 300))
    expect(spread(770, 820)).toBeGreaterThan(1.5 * spread(200, 300))
  }
})

test('one-second returns are fat-tailed, in clusters, and move together', () => {
  const [btc, eth] = [returns('BTC'), returns('ETH')]
  expect(kurtosis(btc)).toBeGreaterThan(5)
  // Without the cascade too: the tails are the market's own.
  expect(kurtosis(btc.slice(0, 700))).toBeGreaterThan(5)
  const sizes = btc.map(Math.abs)
  for (const lag of [1, 2, 5, 10, 20])
    expect(correlation(sizes.slice(lag), sizes.slice(0, -lag))).toBeGreaterThan(0.05)
  expect(correlation(btc, eth)).toBeWithin(0.4, 0.95)
  expect(correlation(btc.slice(0, 700), eth.slice(0, 700))).toBeWithin(0.4, 0.95)
  expect(correlation(returns('@107'), returns('HYPE'))).toBeGreaterThan(0.5)
})

test('a pair on the same asset stays near it', () => {
  const [spot, perp] = [mids('@107'), mids('HYPE')]
  for (let second = 0; second < SECONDS; second += 10)
    expect(Math.abs((spot[second] ?? 0) / (perp[second] ?? 1) - 1)).toBeLessThan(0.004)
})

/** The largest fall over one minute, as a fraction. */
function worstMinute(coin: string, from: number, to: number): number {
  const path = mids(coin)
  const falls = path.slice(from, to).map((mid, at) => 1 - (path[from + at + 60] ?? mid) / mid)
  return Math.max(...falls)
}

function mids(coin: string): number[] {
  return MIDS.get(coin) ?? []
}

function returns(coin: string): number[] {
  const path = mids(coin)
  return path.slice(1).map((mid, at) => Math.log(mid / (path[at] ?? mid)))
}

function watch(seed: number) {
  const books = new Map<string, { bids: Set<number>; asks: Set<number> }>()
  const [MIDS, SPREADS] = [new Map<string, number[]>(), new Map<string, number[]>()]
  const DOLLARS = Array.from({ length: SECONDS }, () => 0)
  for (const { time, kind, coin, data } of synthesise({ seed })) {
    const second = Math.floor((time - START_MS) / 1000)
    if (kind === 'trade')
      DOLLARS[second] = (DOLLARS[second] ?? 0) + Number(data.px) * Number(data.sz)
    if (kind !== 'book' && kind !== 'delta') continue
    const book = books.get(coin) ?? { bids: new Set(), asks: new Set() }
    books.set(coin, book)
    for (const side of ['bids', 'asks'] as const) {
      if (kind === 'book') book[side].clear()
      for (const [px, , n] of data[side])
        if (n === 0) book[side].delete(Number(px))
        else book[side].add(Number(px))
    }
    const [bid, ask] = [Math.max(...book.bids), Math.min(...book.asks)]
    record(MIDS, coin, second, (bid + ask) / 2)
    record(SPREADS, coin, second, ask / bid - 1)
  }
  for (const paths of [MIDS, SPREADS])
    for (const [coin, path] of paths) record(paths, coin, SECONDS - 1, path.at(-1) ?? 0)
  return { MIDS, SPREADS, DOLLARS }
}

/** Records a value; unchanged seconds since the last one repeat it. */
function record(paths: Map<string, number[]>, coin: string, second: number, value: number): void {
  const path = paths.get(coin) ?? []
  paths.set(coin, path)
  while (path.length < second) path.push(path.at(-1) ?? 0)
  path[second] = value
}

function mean(list: number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}

function kurtosis(list: number[]): number {
  const middle = mean(list)
  const variance = mean(list.map((each) => (each - middle) ** 2))
  return mean(list.map((each) => (each - middle) ** 4)) / variance ** 2
}

function correlation(a: number[], b: number[]): number {
  const [middleA, middleB] = [mean(a), mean(b)]
  const product = mean(a.map((each, at) => (each - middleA) * ((b[at] ?? 0) - middleB)))
  const spread = (list: number[], middle: number) => mean(list.map((x) => (x - middle) ** 2))
  return product / Math.sqrt(spread(a, middleA) * spread(b, middleB))
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
