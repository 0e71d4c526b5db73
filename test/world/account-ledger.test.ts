/** The venue's money facts of one account are consistent with each other and with the rows. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { UserFill } from '../../src/contract/records/fill.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'
import { tradedBetween } from '../fixtures/traded-reference.ts'

const world = await smallWorld()
const atMs = world.startMs + 150_000
const facts = factsAt(world, atMs)
const busiest = busiestAccounts(world)
const unknownAddress = '0x0000000000000000000000000000000000000000'

const micros = (text: string) => Math.round(Number(text) * 1e6)
/** A day's turnover of all markets exceeds a number's digits. */
const exactMicros = (text: string) => {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(6, '0'))
}
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)
const value = ({ px, sz }: UserFill) => Number(px) * Number(sz)

test('the hours of funding sum up to the payments of the positions', () => {
  let tried = 0
  for (const { address } of busiest)
    for (const at of [atMs - 20 * 86_400_000, atMs - 3 * 86_400_000, atMs]) {
      const { users, accounts } = factsAt(world, at)
      const paid = ['', 'xyz'].flatMap((dex) =>
        accounts
          .native(address, dex)
          .assetPositions.map(({ position: { coin, szi, cumFunding } }) => {
            const startTimeMs = at - 86_400_000
            const hours = runToEnd(users.funding(address, { startTimeMs: 0 }, 1_000_000)).filter(
              ({ delta }) => delta.coin === coin,
            )
            expect(
              runToEnd(users.funding(address, { startTimeMs }, 500)).length,
            ).toBeLessThanOrEqual(500)
            tried += hours.length
            const last = hours.at(-1)
            if (last && at - last.time < 1_000) expect(last.delta.szi).toBe(szi)
            return sum(hours.map(({ delta }) => micros(delta.usdc))) + micros(cumFunding.allTime)
          }),
      )
      expect(paid).toEqual(paid.map(() => 0))
    }
  expect(tried).toBeGreaterThan(1_000)
})

test('funding is received where the rate goes against the position, and comes in order', () => {
  for (const { address } of busiest) {
    const hours = runToEnd(facts.users.funding(address, {}, 500))
    const times = hours.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    for (const { delta } of hours) {
      const received = -Math.sign(Number(delta.szi)) * Math.sign(Number(delta.fundingRate))
      if (Number(delta.usdc) !== 0) expect(Math.sign(Number(delta.usdc))).toBe(received)
    }
    const [from, to] = [times[3] ?? 0, times[40] ?? atMs]
    const some = runToEnd(facts.users.funding(address, { startTimeMs: from, endTimeMs: to }, 500))
    expect(some).toEqual(hours.filter(({ time }) => time >= from && time <= to))
  }
})

test('spot balances are those of the last rows, and orders hold no more than there is', () => {
  let tokens = 0
  const owners = world.db
    .query<{ address: string }, []>(
      `select address from trader t join account a on a.trader = t.id where a.dex = 'spot'`,
    )
    .all()
  for (const { address } of owners) {
    const { balances } = facts.users.spot(address)
    tokens += balances.length - 1
    for (const { total, hold, entryNtl } of balances) {
      expect(Number(hold)).toBeLessThanOrEqual(Math.max(0, Number(total)))
      expect(Number(hold)).toBeGreaterThanOrEqual(0)
      expect(Number(entryNtl)).toBeGreaterThanOrEqual(0)
    }
    const purr = balances.find(({ coin }) => coin === 'PURR')
    const [last] = facts.fills
      .native(address, 2_000)
      .filter(({ coin }) => coin === 'PURR/USDC')
      .map(({ startPosition, side, sz }) => Number(startPosition) + (side === 'B' ? 1 : -1) * +sz)
    const moved = facts.users
      .ledger(address, {}, 2_000)
      .some(({ delta }) => delta.type === 'spotTransfer')
    if (last !== undefined && !moved) expect(Number(purr?.total ?? 0)).toBeCloseTo(last, 6)
  }
  expect(tokens).toBeGreaterThan(0)
  expect(facts.users.spot(unknownAddress)).toEqual({ balances: [] })
})

test('the volumes beside the fees are those of the fills, by shown days', () => {
  const shiftMs = 5 * 3_600_000
  const { users, fills } = factsAt(world, atMs, shiftMs)
  const [, , { address } = { address: '' }] = busiest
  const { dailyUserVlm, userCrossRate } = runToEnd(users.fees(address))
  expect(dailyUserVlm).toHaveLength(15)
  const today = new Date(atMs + shiftMs).toISOString().slice(0, 10)
  expect(dailyUserVlm.at(-1)?.date).toBe(today)
  const dawnMs = Date.parse(today) - shiftMs
  const own = runToEnd(fills.nativeBetween(address, { startTimeMs: dawnMs, limit: 100_000 }))
  const volume = (crossed: boolean) =>
    sum(own.filter((fill) => fill.crossed === crossed).map(value))
  expect(Number(dailyUserVlm.at(-1)?.userCross)).toBeCloseTo(volume(true), 2)
  expect(Number(dailyUserVlm.at(-1)?.userAdd)).toBeCloseTo(volume(false), 2)
  const traded = world.instruments.map((of) => tradedBetween(world, of, dawnMs, atMs + 1))
  const total = traded.reduce((all, one) => all + (one?.notional ?? 0n), 0n)
  expect(exactMicros(dailyUserVlm.at(-1)?.exchange ?? '')).toBe(total)
  for (const fill of own.filter(({ crossed, builderFee }) => crossed && !builderFee))
    expect(Number(fill.fee)).toBeCloseTo(value(fill) * Number(userCrossRate), 4)
})

test('the available size is the free margin, and twice the margin of a closed position', () => {
  let held = 0
  for (const { address } of busiest) {
    const state = facts.accounts.native(address, '')
    const { accountValue, totalMarginUsed } = state.crossMarginSummary
    const free = Math.max(0, Number(accountValue) - Number(totalMarginUsed))
    for (const coin of ['BTC', 'SOL']) {
      const asset = facts.users.activeAsset(address, coin)
      const position = state.assetPositions.find((one) => one.position.coin === coin)?.position
      const available = (asset?.availableToTrade ?? []).map(Number)
      expect(Math.min(...available)).toBeCloseTo(free, 5)
      if (!position || !asset) continue
      held++
      expect(asset.leverage).toEqual(position.leverage)
      const margin = Number(position.positionValue) / position.leverage.value
      const other = Number(position.szi) > 0 ? available[1] : available[0]
      expect(other).toBeCloseTo(free + 2 * margin, 4)
      for (const side of [0, 1] as const) {
        const most = Number(asset.maxTradeSzs[side]) * Number(asset.markPx)
        const step = Number(asset.markPx) / 100
        expect(most).toBeLessThanOrEqual((available[side] ?? 0) * position.leverage.value + 1e-6)
        expect(most + step).toBeGreaterThan((available[side] ?? 0) * position.leverage.value)
      }
    }
  }
  expect(held).toBeGreaterThan(0)
  expect(facts.users.activeAsset(unknownAddress, 'PURR/USDC')).toBeNull()
  expect(facts.users.activeAsset(unknownAddress, 'BTC')).toMatchObject({
    leverage: { type: 'cross', value: 20 },
    maxTradeSzs: ['0.0', '0.0'],
  })
})

test("curves end with the accounts' value, and show their profit", () => {
  type Sum = { earned: number }
  const earned = world.db.query<Sum, [string, number]>(
    `select coalesce(sum(closedPnl - fee), 0) earned from fill f
     join trader t on t.id = f.trader join instrument i on i.id = f.instrument
     where i.kind = 'perp' and t.address = ? and f.timeMs <= ?`,
  )
  for (const { address } of busiest) {
    const windows = new Map(runToEnd(facts.users.portfolio(address)))
    const states = ['', 'xyz'].map((dex) => facts.accounts.native(address, dex))
    const perp = sum(states.map(({ marginSummary }) => micros(marginSummary.accountValue)))
    const positions = states.flatMap(({ assetPositions }) => assetPositions)
    const open = sum(positions.map(({ position }) => micros(position.unrealizedPnl)))
    const funding = micros(
      String(
        sum(runToEnd(facts.users.funding(address, {}, 1e6)).map(({ delta }) => Number(delta.usdc))),
      ),
    )
    const dollars = facts.users.spot(address).balances.find(({ coin }) => coin === 'USDC')
    const counted = facts.users.isUnified(address)
      ? micros(states[0]?.marginSummary.accountValue ?? '0')
      : 0
    for (const [name, { accountValueHistory: values, pnlHistory: pnls }] of windows) {
      const times = values.map(([timeMs]) => timeMs)
      expect(times.at(-1)).toBe(atMs)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(pnls.map(([timeMs]) => timeMs)).toEqual(times)
      expect(pnls[0]?.[1]).toBe('0.0')
      const last = micros(values.at(-1)?.[1] ?? '')
      if (name.startsWith('perp')) expect(last).toBe(perp)
      else expect(last).toBeGreaterThanOrEqual(perp - counted + micros(dollars?.total ?? '0'))
    }
    const pnl = micros(windows.get('perpAllTime')?.pnlHistory.at(-1)?.[1] ?? '')
    const total = (earned.get(address, atMs)?.earned ?? 0) + open + funding
    expect(Math.abs(pnl - total)).toBeLessThanOrEqual(1)
  }
})

test('windows of one curve agree on the same time', () => {
  for (const { address } of busiest.slice(0, 8)) {
    const windows = new Map(runToEnd(facts.users.portfolio(address)))
    const month = windows.get('month')
    const week = windows.get('week')
    const value = new Map(month?.accountValueHistory)
    const shared = week?.accountValueHistory.filter(([timeMs]) => value.has(timeMs)) ?? []
    expect(shared.length).toBeGreaterThan(5)
    for (const [timeMs, text] of shared) expect(value.get(timeMs)).toBe(text)
    const pnl = new Map(month?.pnlHistory)
    const gains = shared.map(([timeMs]) => {
      const inWeek = week?.pnlHistory.find(([at]) => at === timeMs)?.[1] ?? ''
      return micros(pnl.get(timeMs) ?? '') - micros(inWeek)
    })
    expect(gains).toEqual(gains.map(() => gains[0] ?? 0))
  }
})
