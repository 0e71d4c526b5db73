/** Money of crowd accounts adds up: payments are listed. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import type { UserFill } from '../../src/contract/records/fill.ts'
import { ZERO } from '../../src/decimal/quantity.ts'
import { markPx } from '../../src/market/rows/mark-prices.ts'
import { CROWD, pxText } from '../../src/market/schema/schema.ts'
import { crowdAccountAt, crowdAddress } from '../../src/market/world/crowd-address.ts'
import { flawsOf } from '../fixtures/reconciled.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const facts = factsAt(world, world.endMs)

/** Accounts with trades in the tape's stream, every n-th of them. */
const trading = [
  ...new Set(
    world.db
      .query<{ oid: number }, [number]>(
        `select buyerOid oid from trade where buyer = ${CROWD} and timeMs >= ?1
         union select sellerOid from trade where seller = ${CROWD} and timeMs >= ?1`,
      )
      .all(world.startMs)
      .map(({ oid }) => crowdAddress(oid)),
  ),
]
  .sort()
  .filter((_, at) => at % 20 === 0)

const liquidated = ['BTC', 'SOL', 'xyz:TSLA']
  .flatMap((coin) => facts.liquidations.topPositions({ coin, interval: '30d', limit: 60 }))
  .filter(({ address }) => crowdAccountAt(address)?.kind === 'forced')

const fillsOf = (address: string, at = facts): UserFill[] =>
  runToEnd(at.fills.nativeBetween(address, { startTimeMs: 0, limit: 2_000 }))
const micros = (text: string) => Math.round(Number(text) * 1e6)
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)
const DEXES = ['', 'xyz']

test('funding payments of positions are in the list of payments', () => {
  const HOUR_MS = 3_600_000
  // The hourly charge falls into the tape.
  const shiftMs = HOUR_MS - ((world.startMs + 90_000) % HOUR_MS)
  const at = factsAt(world, world.endMs, shiftMs)
  let paid = 0
  for (const address of [...trading, ...liquidated.map((one) => one.address)]) {
    const hours = runToEnd(at.users.funding(address, {}, 10_000))
    paid += hours.length
    for (const dex of DEXES)
      for (const { position } of at.accounts.native(address, dex).assetPositions) {
        const own = hours.filter(({ delta }) => delta.coin === position.coin)
        const total = sum(own.map(({ delta }) => micros(delta.usdc)))
        expect(total + micros(position.cumFunding.allTime)).toBe(0)
      }
    // Flat positions included: equity is deposits, profit and payments.
    if (fillsOf(address, at).some(({ dir }) => /Buy|Sell/.test(dir))) continue
    const owned = DEXES.map((dex) => at.accounts.native(address, dex))
    const value = sum(owned.map(({ marginSummary }) => micros(marginSummary.accountValue)))
    const gains = owned.flatMap(({ assetPositions }) => assetPositions)
    const [unrealised, fills] = [
      gains.map((one) => micros(one.position.unrealizedPnl)),
      fillsOf(address, at),
    ]
    const closed = sum(fills.map((one) => micros(one.closedPnl) - micros(one.fee)))
    const funding = sum(hours.map(({ delta }) => micros(delta.usdc)))
    const net = micros(at.users.netDeposits(address))
    expect(value).toBe(net + closed + funding + sum(unrealised))
  }
  expect(paid).toBeGreaterThan(100)
})

test('who opens at a full hour pays the funding of that hour', () => {
  const HOUR_MS = 3_600_000
  const opened = ['BTC', 'SOL'].flatMap((coin) => {
    const query = { coin, interval: '1h', startTimeMs: world.meta.historyStartMs }
    const hours = runToEnd(facts.candles.between(query)) ?? []
    const all = facts.liquidations.topPositions({ coin, interval: '30d', limit: 5_000 })
    // Entry prices that some hour began with.
    return all.filter(({ liquidatedVal, pnl, startPosition, endPosition }) => {
      const held = Number(startPosition)
      const cost = Number(liquidatedVal) - Number(pnl) * Math.sign(held)
      const px = cost / Math.abs(held - Number(endPosition))
      return hours.some(({ o }) => Math.abs(Number(o) / px - 1) < 1e-7)
    })
  })
  const full = opened
    .filter(({ address }) => crowdAccountAt(address)?.kind === 'forced')
    .filter(({ address }) => (fillsOf(address)[0]?.time ?? 1) % HOUR_MS === 0)
  expect(full.length).toBeGreaterThan(0)
  for (const { address } of full) expect(flawsOf(facts, address)).toEqual([])
})

test("a liquidation is in the account's ledger, with its position", () => {
  expect(liquidated.length).toBeGreaterThan(80)
  for (const { address, coin, time, startPosition } of liquidated) {
    const entries = facts.users.ledger(address, {}, 500)
    expect(entries.filter(({ delta }) => delta.type === 'liquidation')).toMatchObject([
      { time, delta: { leverageType: 'Cross', liquidatedPositions: [{ coin }] } },
    ])
    const [delta = {}] = entries.flatMap((one): Record<string, unknown>[] =>
      one.delta.type === 'liquidation' ? [one.delta] : [],
    )
    const [{ szi }] = delta.liquidatedPositions as [{ szi: string }]
    expect(Number(szi)).toBe(Number(startPosition))
    expect(Number(delta.liquidatedNtlPos)).toBeGreaterThan(0)
    // Its margin was not enough.
    expect(Number(delta.accountValue)).toBeGreaterThan(0)
  }
})

test('all-time volume includes the first trade, and no shorter volume is larger', () => {
  for (const address of [...trading, ...liquidated.map((one) => one.address)]) {
    const windows = new Map(runToEnd(facts.users.portfolio(address)))
    const volumes = (names: string[]) =>
      names.map((name) => micros(windows.get(name as 'day')?.vlm ?? ''))
    const [day = 0, week = 0, month = 0, ever = 0] = volumes(['day', 'week', 'month', 'allTime'])
    expect([day <= week, week <= month, month <= ever]).toEqual([true, true, true])
    expect(ever).toBe(micros(facts.users.rateLimit(address).cumVlm))
    const traded = sum(fillsOf(address).map(({ px, sz }) => Number(px) * Number(sz)))
    expect(ever / 1e6).toBeCloseTo(traded, 3)
    const [perp = 0] = volumes(['perpAllTime'])
    expect(perp).toBeLessThanOrEqual(ever)
  }
})

test('a liquidated position was opened at a price of its minute, and not due earlier', () => {
  let tried = 0
  for (const { address, coin, time, pnl } of liquidated) {
    const [opening] = fillsOf(address) as [UserFill]
    expect(opening.time).toBeLessThan(time)
    const minuteMs = Math.floor(opening.time / 60_000) * 60_000
    const candle = facts.candles.at(coin, '1m', minuteMs)
    expect(Number(opening.px)).toBeLessThanOrEqual(Number(candle?.h))
    expect(Number(opening.px)).toBeGreaterThanOrEqual(Number(candle?.l))
    expect(Number(pnl)).toBeLessThan(0)
    const values = runToEnd(facts.users.portfolio(address)).flatMap(([, { accountValueHistory }]) =>
      accountValueHistory.map(([, value]) => +value),
    )
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    // No earlier liquidation was due.
    for (let part = 0; part <= 10; part++) {
      const at = opening.time + Math.floor(((time - 1 - opening.time) * part) / 10)
      const dex = coin.startsWith('xyz:') ? 'xyz' : ''
      const shown = factsAt(world, at).accounts.native(address, dex)
      expect(shown.assetPositions).toHaveLength(1)
      const { marginSummary, crossMaintenanceMarginUsed } = shown
      expect(+marginSummary.accountValue).toBeGreaterThanOrEqual(+crossMaintenanceMarginUsed)
      tried++
    }
  }
  expect(tried).toBeGreaterThan(900)
})

test('a mark price before the tape is a price of its minute', () => {
  const HOUR_MS = 3_600_000
  for (const of of world.instruments.filter(({ kind }) => kind === 'perp'))
    for (let back = 1; back < 600; back++) {
      // Right before the end of an hour, where curves and intervals have their points.
      const atMs = tapeMs(Math.floor(world.meta.barsEndMs / HOUR_MS - back) * HOUR_MS - 1)
      const candle = facts.candles.at(of.coin, '1m', atMs - 59_999)
      // Perpetuals on stocks have minutes without a trade while their exchange is closed.
      if (!candle && of.dex !== '') continue
      const mark = Number(pxText(of, markPx(world, of, atMs) ?? ZERO))
      expect(mark).toBeGreaterThanOrEqual(Number(candle?.l))
      expect(mark).toBeLessThanOrEqual(Number(candle?.h))
    }
})

test('accounts differ in their leverage', () => {
  const leverages = trading.flatMap((address) => {
    const { marginSummary } = facts.accounts.native(address, '')
    const { totalNtlPos, accountValue } = marginSummary
    return +totalNtlPos > 0 ? [(+totalNtlPos / +accountValue).toFixed(2)] : []
  })
  const [most = []] = [...Map.groupBy(leverages, (one) => one).values()].sort(
    (a, b) => b.length - a.length,
  )
  expect(leverages.length).toBeGreaterThan(20)
  expect(most.length / leverages.length).toBeLessThan(0.15)
})
