/** On a live clock funding is charged on shown hours, and all of it adds up. */

import { expect, test } from 'bun:test'
import { addressesOf } from '../../bench/realism/readings/accounts.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { chargeDelayMs } from '../../src/market/rows/funding-charges.ts'
import type { World } from '../../src/market/world/world.ts'
import { loadedWorld, recordedRegistry } from '../fixtures/default-recording.ts'
import { flawsOf } from '../fixtures/reconciled.ts'
import { factsAt } from '../fixtures/small-world.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A market that begins this long after a full hour in shown time. */
async function shown(afterMs: number) {
  const now = Date.UTC(2031, 4, 7, 9) + afterMs
  const { sandbox, cast } = await recordedRegistry({ epoch: 'live', now, speed: 1 })
  return { sandbox, cast: cast(), nowMs: () => sandbox.clock.nowMs() }
}

const PLACES = [0, 1_000, 7 * MINUTE_MS, 41 * MINUTE_MS + 13_000, 59 * MINUTE_MS + 58_000]

test.each(PLACES)(
  'a market that begins %d ms after the hour charges on the hour',
  async (after) => {
    const { sandbox, nowMs } = await shown(after)
    const { shiftMs } = sandbox.position()
    const hours = () =>
      (sandbox.facts().assetContexts.fundingHistory('BTC', {}, 10_000) ?? []).map(
        ({ time }) => time + shiftMs,
      )
    const before = hours()
    expect(before.length).toBeGreaterThan(700)
    expect(before.filter((time) => time % HOUR_MS !== 0)).toEqual([])
    expect(before.at(-1)).toBe(Math.floor(nowMs() / HOUR_MS) * HOUR_MS)
    for (const [at, time] of before.entries())
      if (at > 0) expect(time - (before[at - 1] as number)).toBe(HOUR_MS)
  },
)

test('a charge is made at the full hour, to all holders at that time', async () => {
  const { sandbox, cast, nowMs } = await shown(50 * MINUTE_MS)
  const { shiftMs } = sandbox.position()
  const address = cast.addresses.maker as string
  const paid = () => {
    const states = ['', 'xyz'].map((dex) => sandbox.facts().accounts.native(address, dex))
    return Object.fromEntries(
      states.flatMap(({ assetPositions }) =>
        assetPositions.map(({ position }) => [position.coin, position.cumFunding.allTime]),
      ),
    )
  }
  const entries = () => runToEnd(sandbox.facts().users.funding(address, {}, 1_000_000))
  const count = entries().length
  await sandbox.clock.advance(10 * MINUTE_MS - 1)
  expect(entries()).toHaveLength(count)
  const before = paid()
  await sandbox.clock.advance(1)
  expect(nowMs() % HOUR_MS).toBe(0)
  const charged = entries().slice(count)
  expect(charged.length).toBeGreaterThan(0)
  const after = paid()
  for (const { time, delta } of charged) {
    expect(time + shiftMs).toBe(nowMs())
    const grown = Number(after[delta.coin]) - Number(before[delta.coin] ?? 0)
    expect(grown).toBeCloseTo(-Number(delta.usdc), 5)
  }
})

/** Enough for trades in the very instant of a charge. */
const ACCOUNTS = 80

test.each(PLACES)('payments add up to the payments of positions, %d ms', async (after) => {
  const { sandbox } = await shown(after)
  await sandbox.clock.advance(6 * MINUTE_MS)
  const facts = sandbox.facts()
  let checked = 0
  for (const address of addressesOf(facts).slice(0, ACCOUNTS)) {
    const paid = new Map<string, number>()
    for (const { delta } of runToEnd(facts.users.funding(address, {}, 1_000_000)))
      paid.set(delta.coin, (paid.get(delta.coin) ?? 0) - Number(delta.usdc))
    const states = ['', 'xyz'].map((dex) => facts.accounts.native(address, dex))
    for (const { position } of states.flatMap(({ assetPositions }) => assetPositions)) {
      expect(paid.get(position.coin) ?? 0).toBeCloseTo(Number(position.cumFunding.allTime), 3)
      checked++
    }
  }
  expect(checked).toBeGreaterThan(100)
})

test.each([0, 17 * MINUTE_MS, 59 * MINUTE_MS])(
  'who traded at a full hour before the tape paid what is listed, %d ms',
  async (shiftMs) => {
    const { world } = (await loadedWorld()) as unknown as { world: World }
    const traders = world.db
      .query<{ address: string }, []>(
        `select distinct address from fill join trader on trader.id = trader
         where timeMs % ${HOUR_MS} = 0`,
      )
      .all()
    expect(traders.length).toBeGreaterThan(0)
    const facts = factsAt(world, world.startMs, shiftMs)
    for (const { address } of traders) expect(flawsOf(facts, address)).toEqual([])
  },
)

test('accounts, statistics and curves agree on equity', async () => {
  const { sandbox, cast } = await shown(23 * MINUTE_MS + 45_000)
  await sandbox.clock.advance(9 * MINUTE_MS)
  const facts = sandbox.facts()
  for (const address of Object.values(cast.addresses).slice(0, 6)) {
    const equity = ['', 'xyz'].map((dex) =>
      Number(facts.accounts.native(address, dex).marginSummary.accountValue),
    )
    const [, day] =
      runToEnd(facts.users.portfolio(address)).find(([name]) => name === 'perpDay') ?? []
    const last = day?.accountValueHistory.at(-1)?.[1]
    if (last !== undefined)
      expect(Number(last)).toBeCloseTo((equity[0] as number) + (equity[1] as number), 1)
    const [row] = facts.traders.accounts([address])
    expect(Number(row?.perpValue)).toBeCloseTo(equity[0] as number, 1)
    expect(Number(row?.builderPerpValue)).toBeCloseTo(equity[1] as number, 1)
  }
})

test('the next charge is announced for a full hour', async () => {
  const { sandbox, nowMs } = await shown(17 * MINUTE_MS)
  const { shiftMs } = sandbox.position()
  for (const [, exchanges] of sandbox.facts().assetContexts.predictedFundings())
    for (const [, next] of exchanges) {
      if (!next) continue
      const ms = next.nextFundingTime + shiftMs
      expect(ms % (next.fundingIntervalHours * HOUR_MS)).toBe(0)
      expect(ms - nowMs()).toBeGreaterThan(0)
    }
})

test('a delay is less than an hour, and none where hours coincide', () => {
  for (const shiftMs of [0, 1_000, -1_000, HOUR_MS, 5 * HOUR_MS - 1_000, -7 * HOUR_MS + 90_000]) {
    const delayMs = chargeDelayMs({ shiftMs })
    expect(delayMs).toBeWithin(0, HOUR_MS)
    expect(Math.abs((shiftMs + delayMs) % HOUR_MS)).toBe(0)
  }
})
