/** Whales, recomputed from the account states of all traders. */

import { expect, test } from 'bun:test'
import path from 'node:path'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import type { WhaleQuery } from '../../src/contract/facts/perpdex/traders.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { parse } from '../../src/decimal/quantity.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { worldOfTape } from '../fixtures/small-world.ts'

const world = await worldOfTape(path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst'))
const SHIFT_MS = 30_000_007_000
const MOMENTS = [0, 14 * 60_000, 19.9 * 60_000].map((ms) => world.startMs + ms)
const LATE_MS = MOMENTS[2] as number

const at = (atMs: number, answers = {}) =>
  factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: SHIFT_MS,
    answers: { ...DEFAULT_ANSWERS, ...answers },
  })
const whales = (atMs: number, query: Partial<WhaleQuery> = {}) =>
  runToEnd(at(atMs).whales.openPositions({ topBy: 'create-time', take: 10_000, ...query }))

const MILLION = 1_000_000
const usd = (text: string) => parse(text, 6)
const plain = (text: string) => String(Number(text))

/** Every open position worth more than a million in account states. */
function large(atMs: number) {
  const { accounts } = at(atMs)
  return tradersOf(world).list.flatMap(({ address }) =>
    ['', 'xyz'].flatMap((dex) =>
      accounts
        .native(address, dex)
        .assetPositions.filter(({ position }) => Number(position.positionValue) > MILLION)
        .map(({ position }) => ({ address, ...position })),
    ),
  )
}

test('whales are all positions above a million, as the account states have them', () => {
  for (const atMs of MOMENTS) {
    const found = new Map(whales(atMs).map((one) => [`${one.user} ${one.symbol}`, one]))
    const all = large(atMs)
    expect(all.length).toBeGreaterThan(20)
    expect([...found.keys()].sort()).toEqual(all.map((p) => `${p.address} ${p.coin}`).sort())
    for (const p of all) {
      const whale = found.get(`${p.address} ${p.coin}`)
      expect({ ...whale, createTime: 0, updateTime: 0 }).toEqual({
        user: p.address,
        symbol: p.coin,
        positionSize: plain(p.szi),
        entryPrice: plain(p.entryPx),
        liqPrice: p.liquidationPx && plain(p.liquidationPx),
        leverage: p.leverage.value,
        marginBalance: plain(p.marginUsed),
        positionValueUsd: plain(p.positionValue),
        unrealizedPnL: plain(p.unrealizedPnl),
        fundingFee: plain(p.cumFunding.sinceOpen),
        marginMode: p.leverage.type,
        createTime: 0,
        updateTime: 0,
      })
    }
    const { longCount, shortCount } = at(atMs).whales.directions({})
    const longs = all.filter(({ szi }) => Number(szi) > 0).length
    expect([longCount, shortCount]).toEqual([longs, all.length - longs])
    const btc = all.filter(({ coin }) => coin === 'BTC').length
    const ofBtc = at(atMs).whales.directions({ coin: 'BTC' })
    expect(ofBtc.longCount + ofBtc.shortCount).toBe(btc)
  }
})

test('a whale was opened and last changed by its own fills', () => {
  const { fills } = at(LATE_MS)
  for (const { user, symbol, createTime, updateTime } of whales(LATE_MS, { take: 20 })) {
    const own = fills.native(user, 200_000).filter(({ coin }) => coin === symbol)
    expect(updateTime).toBe(own[0]?.time as number)
    const opening = own.filter(({ time }) => time === createTime)
    expect(opening.some(({ dir }) => /^Open|>/.test(dir))).toBe(true)
    for (const { time, dir } of own) if (time > createTime) expect(dir).not.toMatch(/>|^Liquidated/)
  }
})

test('whales are filtered and sorted as requested', () => {
  const all = whales(LATE_MS)
  const sides = { profit: (n: number) => n > 0, loss: (n: number) => n < 0 }
  for (const side of ['profit', 'loss'] as const) {
    const byPnl = all.filter(({ unrealizedPnL }) => sides[side](Number(unrealizedPnL)))
    expect(whales(LATE_MS, { npnlSide: side })).toEqual(byPnl)
    // Payments are no profit.
    const byFunding = all.filter(({ fundingFee }) => sides[side](-Number(fundingFee)))
    expect(whales(LATE_MS, { frSide: side })).toEqual(byFunding)
    expect(byPnl.length * byFunding.length).toBeGreaterThan(0)
  }
  const longs = all.filter(({ positionSize }) => Number(positionSize) > 0)
  expect(whales(LATE_MS, { dir: 'long' })).toEqual(longs)
  expect(whales(LATE_MS, { coin: 'ETH' }).every(({ symbol }) => symbol === 'ETH')).toBe(true)
  expect(whales(LATE_MS, { coin: 'nothing' })).toEqual([])
  const keys = {
    'create-time': ({ createTime }: (typeof all)[number]) => createTime,
    'position-value': ({ positionValueUsd }: (typeof all)[number]) => Number(positionValueUsd),
    'margin-balance': ({ marginBalance }: (typeof all)[number]) => Number(marginBalance),
    profit: ({ unrealizedPnL }: (typeof all)[number]) => Number(unrealizedPnL),
    loss: ({ unrealizedPnL }: (typeof all)[number]) => -Number(unrealizedPnL),
  }
  for (const [topBy, key] of Object.entries(keys)) {
    const sorted = whales(LATE_MS, { topBy: topBy as WhaleQuery['topBy'] })
    expect(sorted.map(key)).toEqual(all.map(key).sort((a, b) => b - a))
    expect(whales(LATE_MS, { topBy: topBy as WhaleQuery['topBy'], take: 3 })).toEqual(
      sorted.slice(0, 3),
    )
  }
})

test('events of whales are newest first, and each agrees with the account state', () => {
  const events = runToEnd(at(LATE_MS).whales.latestEvents({ limit: 100 }))
  expect(events.length).toBe(100)
  const times = events.map(({ createTime }) => Date.parse(createTime))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(Math.max(...times)).toBeLessThanOrEqual(LATE_MS)
  expect(new Set(events.map(({ positionAction }) => positionAction))).toEqual(new Set([1, 2]))
  for (const { user, symbol, positionAction, positionSize, ...event } of events) {
    const dex = symbol.startsWith('xyz:') ? 'xyz' : ''
    const atMs = Date.parse(event.createTime)
    const state = at(atMs).accounts.native(user, dex).assetPositions
    const held = state.find(({ position }) => position.coin === symbol)?.position
    if (positionAction === 1) {
      expect(plain(held?.szi ?? '')).toBe(positionSize)
      expect(plain(held?.entryPx ?? '')).toBe(event.entryPrice)
      expect(held?.liquidationPx && plain(held.liquidationPx)).toBe(event.liqPrice)
      expect(Number(event.positionValueUsd)).toBeGreaterThan(MILLION)
    } else if (held) expect(Math.sign(Number(held.szi))).toBe(-Math.sign(Number(positionSize)))
  }
})

test('past events stay unchanged', () => {
  const fresh: number[] = []
  for (const coin of [undefined, 'BTC', 'ETH']) {
    const [early, late] = [MOMENTS[0] as number, LATE_MS].map((atMs) =>
      runToEnd(at(atMs).whales.latestEvents({ coin, limit: 100 })),
    )
    const first = Date.parse(late?.at(-1)?.createTime ?? '')
    const known = late?.filter(({ createTime }) => Date.parse(createTime) <= world.startMs)
    const kept = early?.filter(({ createTime }) => Date.parse(createTime) >= first)
    expect(kept?.slice(0, known?.length)).toEqual(known as never)
    fresh.push((late?.length ?? 0) - (known?.length ?? 0))
    if (coin) expect(late?.every(({ symbol }) => symbol === coin)).toBe(true)
  }
  expect(Math.max(...fresh)).toBeGreaterThan(0)
  expect(runToEnd(at(LATE_MS).whales.latestEvents({ coin: 'nothing', limit: 5 }))).toEqual([])
})

test('the long ratio follows from the whales of its instants', () => {
  for (const [minutes, limit, count] of [
    [10, 3, 3],
    [60, 50, 50],
    // The history has thirty days.
    [1440, 200, 30],
  ] as const) {
    const intervalMs = minutes * 60_000
    const rows = runToEnd(at(LATE_MS).whales.longRatios({ intervalMs, limit }))
    expect(rows.length).toBe(count)
    for (const { time, ...ratio } of rows.slice(-2)) {
      expect((time + SHIFT_MS) % intervalMs).toBe(0)
      const all = whales(time)
      const { longCount, shortCount } = at(time).whales.directions({})
      const value = (sign: number) =>
        all
          .filter(({ positionSize }) => Math.sign(Number(positionSize)) === sign)
          .reduce((total, one) => total + usd(one.positionValueUsd), 0)
      expect(usd(ratio.positionValueDiff)).toBe(value(1) - value(-1))
      expect(Number(ratio.longRatio)).toBeCloseTo(longCount / (longCount + shortCount), 6)
      const part = value(1) / (value(1) + value(-1))
      expect(Number(ratio.longPositionValueRatio)).toBeCloseTo(part, 6)
    }
  }
})
