/** Crowd accounts: other lists agree with their own. */
import { expect, spyOn, test } from 'bun:test'
import { later } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import type { UserFill } from '../../src/contract/records/fill.ts'
import { tradeHoursOf } from '../../src/market/rows/trade-hours.ts'
import { CROWD } from '../../src/market/schema/schema.ts'
import { growWorld } from '../../src/market/world/cache.ts'
import { crowdAccountAt, crowdAddress } from '../../src/market/world/crowd-address.ts'
import { openUngrown } from '../../src/market/world/world-file.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const world = await smallWorld()
const at = temporaryFolder()
const facts = factsAt(world, world.endMs)
const { barsEndMs } = world.meta

/** Addresses by the number of their orders in the crowd's trades, most first. */
const accounts = [
  ...Map.groupBy(
    world.db
      .query<{ oid: number }, []>(
        `select buyerOid oid from trade where buyer = ${CROWD} and timeMs >= ${barsEndMs}
         union select sellerOid from trade where seller = ${CROWD} and timeMs >= ${barsEndMs}`,
      )
      .all(),
    ({ oid }) => crowdAddress(oid),
  ),
]
  .map(([address, orders]) => ({ address, oids: orders.map(({ oid }) => oid) }))
  .sort((a, b) => b.oids.length - a.oids.length || a.address.localeCompare(b.address))
const sampled = [...accounts.slice(0, 12), ...accounts.slice(-12)]

const fillsOf = (address: string, at = facts): UserFill[] =>
  runToEnd(at.fills.nativeBetween(address, { startTimeMs: 0, limit: 2_000 }))

const signed = ({ side, sz }: UserFill) => (side === 'B' ? 1 : -1) * Number(sz)

test('an account has a fill and an order of each trade that names it', () => {
  for (const { address, oids } of sampled) {
    const fills = fillsOf(address)
    for (const oid of oids) {
      const own = fills.filter((fill) => fill.oid === oid)
      const order = facts.users.orderStatus(address, oid)
      const traded = own.reduce((sum, { sz }) => sum + Number(sz), 0)
      expect(own.length).toBeGreaterThan(0)
      expect(order).toMatchObject({ status: 'order', order: { status: 'filled' } })
      if (order.status === 'order') expect(Number(order.order.order.origSz)).toBeCloseTo(traded, 6)
      expect(facts.fills.ofOrder(oid)).toHaveLength(own.length)
      expect(facts.orders.byId(String(oid))).not.toBeNull()
    }
  }
})

test('turnover of a day of the market is added up once for all accounts', () => {
  const tally = spyOn(tradeHoursOf(world), 'tally')
  const [first, second] = sampled.map(({ address }) => {
    tally.mockClear()
    const { dailyUserVlm } = runToEnd(facts.users.fees(address))
    return { days: dailyUserVlm.length, tallies: tally.mock.calls.length }
  })
  tally.mockRestore()
  // A day that is not over is added up again.
  expect(second).toEqual({ days: first?.days as number, tallies: world.instruments.length })
})

test('its positions equal its fills, its money suffices, and it began with nothing', () => {
  for (const { address } of sampled) {
    const held = new Map<string, number>()
    for (const fill of fillsOf(address)) {
      if (/Buy|Sell/.test(fill.dir)) continue
      expect(Number(fill.startPosition)).toBeCloseTo(held.get(fill.coin) ?? 0, 6)
      held.set(fill.coin, Number(fill.startPosition) + signed(fill))
    }
    const states = ['', 'xyz'].map((dex) => facts.accounts.native(address, dex))
    const positions = states.flatMap(({ assetPositions }) => assetPositions)
    const open = [...held].filter(([, sz]) => Math.abs(sz) > 1e-9)
    expect(positions.map(({ position }) => [position.coin, Number(position.szi)])).toEqual(
      open
        .map(([coin, sz]) => [coin, expect.closeTo(sz, 6)])
        .sort(([a], [b]) => coinPlace(a as string) - coinPlace(b as string)),
    )
    const [main] = states
    expect(Number(main?.marginSummary.accountValue)).toBeGreaterThan(
      Number(main?.crossMaintenanceMarginUsed),
    )
    const [account] = facts.traders.accounts([address])
    const total = Number(account?.totalValue) + Number(account?.builderPerpValue)
    expect(total).toBeGreaterThan(0)
  }
})

const coinPlace = (coin: string) => world.instruments.findIndex((one) => one.coin === coin)

test('it does not depend on the instant or on earlier requests', () => {
  const [{ address } = { address: '' }] = accounts
  const all = fillsOf(address)
  const cutMs = all[Math.floor(all.length / 2)]?.time ?? 0
  const before = factsAt(world, cutMs)
  expect(fillsOf(address, before)).toEqual(all.filter(({ time }) => time <= cutMs))
  expect(before.users.ledger(address, {}, 500)).toEqual(
    facts.users.ledger(address, {}, 500).filter(({ time }) => time <= cutMs),
  )
  const state = JSON.stringify(facts.accounts.native(address, ''))
  for (const one of accounts.slice(0, 60)) fillsOf(one.address)
  expect(JSON.stringify(facts.accounts.native(address, ''))).toBe(state)
  const upper = `0x${address.slice(2).toUpperCase()}`
  expect(fillsOf(upper)).toEqual(all)
})

test('each of a list of addresses is answered as if alone', () => {
  const [first, second] = accounts.map(({ address }) => address) as [string, string]
  const traders = world.db
    .query<{ address: string }, []>('select address from trader limit 2')
    .all()
  const requested = [first, ...traders.map(({ address }) => address), second, `0x${'0'.repeat(40)}`]
  const alone = requested.flatMap((address) => facts.traders.accounts([address]))
  expect(facts.traders.accounts(requested)).toEqual(alone)
  expect(facts.accounts.states(requested, '').map(({ address }) => address)).toEqual(requested)
})

test("a liquidated account's loss is that of the liquidation", () => {
  const lists = ['BTC', 'SOL'].map((coin) =>
    facts.liquidations.topPositions({ coin, interval: '30d', limit: 120 }),
  )
  const forced = lists.flat().filter(({ address }) => crowdAccountAt(address)?.kind === 'forced')
  expect(forced.length).toBeGreaterThan(50)
  for (const {
    address,
    coin,
    time,
    oid,
    pnl,
    liquidatedVal,
    startPosition,
    endPosition,
  } of forced) {
    const fills = fillsOf(address)
    const [opening] = fills
    const closing = fills.filter((fill) => fill.oid === oid)
    const sum = (of: (fill: UserFill) => number) => closing.reduce((all, fill) => all + of(fill), 0)
    expect(opening).toMatchObject({ coin, startPosition: '0.0' })
    expect(signed(opening as UserFill)).toBeCloseTo(Number(startPosition), 6)
    expect(closing[0]?.time).toBe(time)
    expect(closing[0]?.dir).toStartWith('Liquidated Cross')
    expect(sum(({ closedPnl }) => Number(closedPnl))).toBeCloseTo(Number(pnl), 5)
    expect(sum(({ px, sz }) => Number(px) * Number(sz))).toBeCloseTo(Number(liquidatedVal), 4)
    expect(Number(startPosition) + sum(signed)).toBeCloseTo(Number(endPosition), 6)
    expect(Number(facts.accounts.native(address, '').marginSummary.accountValue)).toBeGreaterThan(0)
  }
})

test('the past of an account is unchanged while its market continues', () => {
  const file = at('line.sqlite')
  growTo(lineOf(world, file), 4)
  const line = openUngrown(file, world.tapeEndMs)
  const halfMs = later(world.tapeEndMs, 120_000)
  const endMs = later(world.tapeEndMs, 240_000)
  runToEnd(growWorld(line, halfMs))
  const traded = line.db
    .query<{ oid: number }, [number]>(
      `select buyerOid oid from trade where buyer = ${CROWD} and seller = ${CROWD} and timeMs > ?`,
    )
    .all(world.tapeEndMs)
  const orders = Map.groupBy(traded, ({ oid }) => crowdAddress(oid))
  const named = [...orders.keys()]
    .sort((a, b) => (orders.get(b)?.length ?? 0) - (orders.get(a)?.length ?? 0))
    .slice(0, 40)
  const shown = () =>
    named.map((address) => {
      const then = factsAt(line, halfMs)
      return [
        fillsOf(address, then),
        then.users.ledger(address, {}, 500),
        then.accounts.native(address, ''),
      ]
    })
  const before = shown()
  expect(before.some(([fills]) => (fills as UserFill[]).length > 0)).toBe(true)
  runToEnd(growWorld(line, endMs))
  expect(shown()).toEqual(before)
  const afterwards = factsAt(line, endMs)
  const counts = before.map(([fills]) => (fills as UserFill[]).length)
  expect(
    named.some((address, at) => fillsOf(address, afterwards).length > Number(counts[at])),
  ).toBe(true)
  line.close()
})

test('an unknown address has no account', () => {
  const [{ address } = { address: '' }] = accounts
  for (const other of [
    address.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    // Its life has not begun.
    crowdAddress(900_000_000_000),
  ])
    expect([fillsOf(other), facts.users.isKnown(other)]).toEqual([[], false])
})
