/** Fills, orders and accounts of a world agree with one another at any instant. */
import { expect, test } from 'bun:test'
import type { FillRow, LedgerRow, OrderRow } from '../src/world/schema.ts'
import { factsAt, smallWorld } from './small-world.ts'

const world = await smallWorld()
const instants = [1, 31_777, 95_432, 150_000].map((at) => world.startMs + at)

type Person = { id: number; address: string; fills: number }
/** The busiest traders of each role. */
const people = world.db
  .query<Person, []>(
    `select id, address, fills from (select t.id, t.address, count(*) fills,
       row_number() over (partition by t.role order by count(*) desc, t.id) place
     from trader t join fill f on f.trader = t.id group by t.id) where place <= 3`,
  )
  .all()

const fillsOf = (trader: number, atMs: number) =>
  world.db
    .query<FillRow, [number, number]>(
      'select * from fill where trader = ? and timeMs <= ? order by timeMs, id',
    )
    .all(trader, atMs)

const ledgerOf = (trader: number, dex: string, atMs: number) =>
  world.db
    .query<LedgerRow, [number, string, number]>(
      `select l.* from ledger l join account a on a.id = l.account
       where l.trader = ? and a.dex = ? and l.timeMs <= ?`,
    )
    .all(trader, dex, atMs)

/** A decimal text in millionths. */
const micros = (text: string | undefined) => Math.round(Number(text) * 1e6)

test('positions are the sums of the fills', () => {
  for (const atMs of instants)
    for (const { id, address } of people)
      for (const dex of ['', 'xyz']) {
        const sums = new Map<string, number>()
        for (const fill of fillsOf(id, atMs)) {
          const of = world.instruments[fill.instrument]
          if (of?.kind !== 'perp' || of.dex !== dex) continue
          const sz = fill.side === 'B' ? fill.sz : -fill.sz
          sums.set(of.coin, (sums.get(of.coin) ?? 0) + sz / 10 ** of.szDecimals)
        }
        const { assetPositions } = factsAt(world, atMs).accounts.perp(address, dex)
        for (const { position } of assetPositions) {
          expect(Number(position.szi)).toBeCloseTo(sums.get(position.coin) ?? 0, 5)
          sums.delete(position.coin)
        }
        for (const rest of sums.values()) expect(rest).toBeCloseTo(0, 5)
      }
})

test('account value is what came in, plus PnL, less fees and funding, plus what is unrealised', () => {
  for (const atMs of instants)
    for (const { id, address } of people)
      for (const dex of ['', 'xyz']) {
        const state = factsAt(world, atMs).accounts.native(address, dex)
        const perps = fillsOf(id, atMs).filter(({ instrument }) => {
          const of = world.instruments[instrument]
          return of?.kind === 'perp' && of.dex === dex
        })
        const moved = ledgerOf(id, dex, atMs).reduce((sum, { usd }) => sum + usd, 0)
        const earned = perps.reduce((sum, { closedPnl, fee }) => sum + closedPnl - fee, 0)
        const flat = new Map(perps.map((fill) => [fill.instrument, fill]))
        let funding = 0
        for (const fill of flat.values()) if (fill.positionAfter === 0) funding += fill.fundingAfter
        let unrealised = 0
        for (const { position } of state.assetPositions) {
          funding += micros(position.cumFunding.allTime)
          unrealised += micros(position.unrealizedPnl)
        }
        expect(micros(state.marginSummary.accountValue)).toBe(moved + earned - funding + unrealised)
      }
})

test('the sums of a state are those of its positions', () => {
  let isolated = 0
  for (const { address } of people) {
    const state = factsAt(world, world.endMs).accounts.perp(address, '')
    const { accountValue, totalNtlPos, totalRawUsd, totalMarginUsed } = state.marginSummary
    let [value, signed, margin] = [0, 0, 0]
    for (const { position } of state.assetPositions) {
      const { positionValue, szi, marginUsed, leverage, entryPx, unrealizedPnl } = position
      value += micros(positionValue)
      signed += Math.sign(Number(szi)) * micros(positionValue)
      margin += micros(marginUsed)
      const px = Number(positionValue) / Math.abs(Number(szi))
      const pnl = Number(szi) * (px - Number(entryPx))
      expect(Math.abs(pnl - Number(unrealizedPnl))).toBeLessThan(
        0.06 * Math.abs(Number(szi)) + 0.01,
      )
      if (leverage.type === 'isolated') {
        isolated++
        const own = micros(leverage.rawUsd ?? undefined)
        expect(own + Math.sign(Number(szi)) * micros(positionValue)).toBe(micros(marginUsed))
      } else expect(leverage.rawUsd).toBeNull()
    }
    expect([micros(totalNtlPos), micros(totalMarginUsed)]).toEqual([value, margin])
    expect(micros(totalRawUsd)).toBe(micros(accountValue) - signed)
    expect(Number(state.withdrawable)).toBeGreaterThanOrEqual(0)
    expect(micros(state.withdrawable)).toBeLessThanOrEqual(
      Math.max(0, micros(state.crossMarginSummary.accountValue)),
    )
  }
  expect(isolated).toBeGreaterThan(0)
})

test('the two forms of a state differ in the raw dollars of cross margin only', () => {
  const { accounts } = factsAt(world, world.endMs)
  for (const { address } of people) {
    const native = accounts.native(address, '')
    const perp = accounts.perp(address.toUpperCase().replace('0X', '0x'), '')
    for (const [at, { position }] of native.assetPositions.entries()) {
      const other = perp.assetPositions[at]?.position
      if (position.leverage.type === 'cross') expect('rawUsd' in position.leverage).toBe(false)
      expect({ ...position, leverage: null }).toEqual({ ...other, leverage: null } as never)
    }
    expect(native.marginSummary).toEqual(perp.marginSummary)
    expect(accounts.states([address.toUpperCase()], '')[0]).toEqual({ address, state: perp })
  }
})

test('nobody who never appears has anything', () => {
  const facts = factsAt(world, world.endMs)
  const nobody = '0x0000000000000000000000000000000000000001'
  const state = facts.accounts.perp(nobody, '')
  expect(state.marginSummary).toEqual({
    ...{ accountValue: '0.0', totalNtlPos: '0.0', totalRawUsd: '0.0', totalMarginUsed: '0.0' },
  })
  expect([state.withdrawable, state.assetPositions, state.time]).toEqual(['0.0', [], world.endMs])
  expect(facts.fills.native(nobody, 10)).toEqual([])
  expect(facts.orders.open(nobody, '')).toEqual([])
  expect(facts.accounts.ledger(nobody, 10)).toEqual([])
})

test('startPosition chains through the fills of an account', () => {
  for (const { address } of people) {
    const { fills } = factsAt(world, world.endMs)
    const rows = fills.nativeBetween(address, { startTimeMs: 0, limit: 2_000 })
    const stands = new Map<string, number>()
    for (const { coin, startPosition, side, sz } of rows) {
      // Spot tokens also come by transfer, so only perpetuals have no other way to change.
      const before = stands.get(coin)
      if (before !== undefined && coin !== 'PURR/USDC')
        expect(Number(startPosition)).toBeCloseTo(before, 6)
      stands.set(coin, Number(startPosition) + (side === 'B' ? 1 : -1) * Number(sz))
    }
  }
})

test('the forms of fills are the same fills, newest or oldest first', () => {
  const [atMs = 0] = instants.slice(-1)
  const { fills } = factsAt(world, atMs)
  for (const { address } of people) {
    const newest = fills.native(address, 100)
    const simple = fills.ofAddress(address, { limit: 100 })
    expect(simple.map(({ oid, price }) => [oid, Number(price)])).toEqual(
      newest.toReversed().map(({ oid, px }) => [oid, Number(px)]),
    )
    const from = newest.at(-1)?.time ?? 0
    const between = fills.nativeBetween(address, { startTimeMs: from, limit: 2_000 })
    expect(between.slice(-newest.length)).toEqual(newest.toReversed())
    const coin = newest[0]?.coin ?? ''
    for (const fill of fills.ofAddress(address, { coin, limit: 5 })) expect(fill.coin).toBe(coin)
    expect(fills.ofOrder(newest[0]?.oid ?? 0).at(-1)?.time).toBeLessThanOrEqual(atMs)
  }
})

test('the two sides of a trade show the same trade', () => {
  const { market, fills } = factsAt(world, world.endMs)
  for (const { tid, users, px, sz, hash, time } of market.recentTrades('BTC', 40)) {
    const sides = users.map((user) =>
      fills.nativeBetween(user, { startTimeMs: time, endTimeMs: time, limit: 2_000 }),
    )
    const [bought, sold] = sides.map((rows, at) =>
      rows.find((row) => row.tid === tid && row.side === 'BA'[at]),
    )
    expect(bought).toMatchObject({ px, sz, hash })
    expect(sold).toMatchObject({ px, sz, hash, crossed: !bought?.crossed })
  }
})

test('the largest trades are the largest, each with its taker', () => {
  const intervalMs = 600_000
  const { fills } = factsAt(world, world.endMs)
  const top = fills.topTrades({ coin: 'SOL', intervalMs, limit: 10 })
  const values = world.db
    .query<{ notional: number }, [number, number]>(
      'select notional from trade where instrument = 1 and timeMs > ? and timeMs <= ?',
    )
    .all(world.endMs - intervalMs, world.endMs)
    .map(({ notional }) => notional)
    .sort((a, b) => b - a)
  expect(top.map(({ val }) => micros(val))).toEqual(values.slice(0, 10))
  for (const { address, time, oid } of top) {
    const [fill] = fills.nativeBetween(address, { startTimeMs: time, limit: 50 })
    expect(fill?.time).toBe(time)
    expect(fills.ofOrder(oid).some((one) => one.time === time)).toBe(true)
  }
})

test('an order is open until it ends, and filled by the sum of its fills', () => {
  for (const atMs of instants) {
    const { orders, fills } = factsAt(world, atMs)
    for (const { id, address } of people) {
      const open = [...orders.open(address, ''), ...orders.open(address, 'xyz')]
      const stored = world.db
        .query<OrderRow, [number, number, number]>(
          `select * from orders where trader = ? and timeMs <= ?
           and (endMs is null or endMs > ?)`,
        )
        .all(id, atMs, atMs)
      expect(new Set(open.map(({ oid }) => oid))).toEqual(new Set(stored.map(({ oid }) => oid)))
      for (const { oid, sz, origSz } of open.slice(0, 20)) {
        const filled = fills.ofOrder(oid).reduce((sum, { size }) => sum + Number(size), 0)
        expect(Number(origSz) - Number(sz)).toBeCloseTo(filled, 6)
        const order = orders.byId(String(oid))
        expect(order?.status).toBe('open')
        expect(orders.filledById(String(oid))).toEqual(filled > 0 ? order : null)
      }
      const full = [...orders.frontendOpen(address, ''), ...orders.frontendOpen(address, 'xyz')]
      expect(full.map(({ oid }) => oid)).toEqual(open.map(({ oid }) => oid))
    }
  }
})

test('order lists come newest first by their last change, each order as byId gives it', () => {
  const [atMs = 0] = instants.slice(-1)
  const { orders } = factsAt(world, atMs)
  for (const { address } of people) {
    const latest = orders.latest(address, { limit: 200 })
    const times = latest.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.every((time) => time <= atMs)).toBe(true)
    for (const order of latest.slice(0, 30)) expect(orders.byId(order.oid)).toEqual(order)
    const filled = orders.filledLatest(address, { limit: 200 })
    expect(filled.every(({ filledSize }) => Number(filledSize) > 0)).toBe(true)
    const wanted = latest.filter(({ filledSize }) => Number(filledSize) > 0)
    expect(filled.slice(0, wanted.length)).toEqual(wanted)
    const sol = orders.latest(address, { coin: 'SOL', limit: 50 })
    expect(sol.every(({ coin }) => coin === 'SOL')).toBe(true)
  }
  expect([orders.byId('1'), orders.byId('0xabc'), orders.filledById('x')]).toEqual([
    ...[null, null, null],
  ])
})
