/** Position histories agree with completed trades, fills and account states. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const { sandbox } = await recordedRegistry({ at: 16 * 60_000, epoch: 'tape' })
const facts = sandbox.facts()
const { atMs } = facts.moment
const cast = sandbox.world.cast(facts.moment) as {
  addresses: Record<string, string>
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}
const buckets = (interval: string, limit = 1_000) => ({ interval, limit })
const sum = (values: readonly string[]) => values.reduce((total, value) => total + Number(value), 0)

test('the last snapshot of an open position is the account state of now', () => {
  for (const { address, coin } of cast.openPositions) {
    const last = facts.positions.history({ address, coin, at: 'open' })?.history.at(-1)
    const dex = coin.includes(':') ? (coin.split(':')[0] ?? '') : ''
    const state = facts.accounts.perp(address, dex)
    const held = state.assetPositions.find(({ position }) => position.coin === coin)?.position
    expect(last).toMatchObject({
      time: atMs,
      entryPrice: held?.entryPx,
      positionValue: held?.positionValue,
      unrealizedPnl: held?.unrealizedPnl,
      liquidationPx: held?.liquidationPx,
      marginUsed: held?.marginUsed,
    })
    expect(Number(last?.size)).toBe(Math.abs(Number(held?.szi)))
    const pnls = facts.positions.pnls({ address, coin, at: 'open' }, buckets('15m'))
    expect(Number(pnls?.pnls.at(-1)?.unrealizedPnl)).toBe(Number(held?.unrealizedPnl))
  }
})

test('executions of a completed position opened and closed it', () => {
  for (const { address, coin, openTime, closeTime } of cast.completedPositions) {
    const at = { startMs: openTime, endMs: closeTime }
    const life = facts.positions.executions({ address, coin, at }, buckets('1h'))
    const bought = sum((life?.executions ?? []).map(({ buySz }) => buySz))
    const sold = sum((life?.executions ?? []).map(({ sellSz }) => sellSz))
    expect(bought).toBeCloseTo(sold, 8)
    const trade = facts.completedTrades
      .latest(address, { coin, limit: 2_000 })
      .find((one) => one.openTime === openTime && one.closeTime === closeTime)
    expect(bought).toBeCloseTo(Number(trade?.size), 8)
    expect(life?.direction).toBe(trade?.side as 'long')
    expect([Date.parse(life?.startTime ?? ''), Date.parse(life?.endTime ?? '')]).toEqual([
      openTime,
      closeTime,
    ])
  }
})

test('a completed position ends flat at its close, also where another begins with it', () => {
  let flips = 0
  for (const [, address] of Object.entries(cast.addresses))
    for (const { coin, openTime, closeTime } of facts.completedTrades.latest(address, {
      limit: 30,
    })) {
      const at = { startMs: openTime, endMs: closeTime }
      const life = facts.positions.history({ address, coin, at })
      const { history } = life ?? { history: [] }
      const [before, last] = [history.at(-2), history.at(-1)]
      const flat = { positionValue: '0.0', unrealizedPnl: '0.0', marginUsed: '0.0' }
      expect(last).toMatchObject({ time: closeTime, size: '0', returnOnEquity: '0.0', ...flat })
      if (openTime < closeTime) {
        expect(before?.time).toBeLessThan(closeTime)
        expect(Number(before?.size)).toBeGreaterThan(0)
        expect([last?.leverage, last?.entryPrice]).toEqual([before?.leverage, before?.entryPrice])
      }
      expect(
        history.every(({ size }, place) => (size === '0') === (place === history.length - 1)),
      ).toBe(true)
      for (const interval of ['15m', '1d']) {
        const pnls = facts.positions.pnls({ address, coin, at }, buckets(interval))?.pnls ?? []
        expect(pnls.at(-1)).toMatchObject({ size: '0', positionValue: '0', unrealizedPnl: '0' })
        expect(pnls.filter(({ size }) => size === '0')).toHaveLength(1)
        expect(pnls.at(-1)?.time).toBeLessThanOrEqual(closeTime)
      }
      const opened = facts.completedTrades.latest(address, { coin, limit: 2_000 })
      if (opened.some((one) => one.openTime === closeTime)) flips++
    }
  expect(flips).toBeGreaterThan(0)
})

test('start and end name a position exactly; one of them is enough', () => {
  const { address, coin, openTime, closeTime } = cast.completedPositions[0] as {
    address: string
    coin: string
    openTime: number
    closeTime: number
  }
  const named = (at: { startMs?: number; endMs?: number }) =>
    facts.positions.pnls({ address, coin, at }, buckets('1h'))
  const closed = named({ startMs: openTime, endMs: closeTime })
  expect(closed).not.toBeNull()
  expect(named({ endMs: closeTime })).toEqual(closed)
  expect(named({ startMs: openTime + 1, endMs: closeTime })).toBeNull()
  expect(named({ endMs: closeTime + 1 })).toBeNull()
})

test('intervals are those of shown time, ascending, the newest of many', () => {
  for (const { address, coin } of cast.openPositions) {
    const all = facts.positions.pnls({ address, coin, at: 'open' }, buckets('1h'))?.pnls ?? []
    expect(all.every(({ time }) => time % 3_600_000 === 0)).toBe(true)
    const times = all.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const few = facts.positions.pnls({ address, coin, at: 'open' }, buckets('1h', 2))?.pnls
    expect(few).toEqual(all.slice(-2))
  }
})

test('future facts are not visible', () => {
  const [first] = cast.completedPositions
  const before = sandbox.world.facts({ ...facts.moment, atMs: tapeMs((first?.closeTime ?? 0) - 1) })
  const { address = '', coin = '', openTime, closeTime } = first ?? {}
  const at = { startMs: openTime, endMs: closeTime }
  expect(before.positions.history({ address, coin, at })).toBeNull()
  expect(before.positions.history({ address, coin, at: 'open' })).not.toBeNull()
})
