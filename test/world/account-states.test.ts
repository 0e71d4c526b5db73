/** Account states in a world are the sums of their fills and ledgers at any instant. */
import { expect, test } from 'bun:test'
import type { FillRow, LedgerRow } from '../../src/market/schema/schema.ts'
import type { Plain } from '../fixtures/plain-rows.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const instants = [1, 31_777, 95_432, 150_000].map((at) => world.startMs + at)

const busiest = busiestAccounts(world)

const fillsOf = (trader: number, atMs: number) =>
  world.db
    .query<Plain<FillRow>, [number, number]>(
      'select * from fill where trader = ? and timeMs <= ? order by timeMs, id',
    )
    .all(trader, atMs)

const ledgerOf = (trader: number, dex: string, atMs: number) =>
  world.db
    .query<Plain<LedgerRow>, [number, string, number]>(
      `select l.* from ledger l join account a on a.id = l.account
       where l.trader = ? and a.dex = ? and l.timeMs <= ?`,
    )
    .all(trader, dex, atMs)

/** A decimal text in millionths. */
const micros = (text: string | undefined) => Math.round(Number(text) * 1e6)

test('positions are the sums of the fills', () => {
  for (const atMs of instants)
    for (const { id, address } of busiest)
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

test('account value is net deposits, plus PnL of both kinds, less fees and funding', () => {
  for (const atMs of instants)
    for (const { id, address } of busiest)
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
  for (const { address } of busiest) {
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
  for (const { address } of busiest) {
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

test('an unknown address has nothing', () => {
  const facts = factsAt(world, world.endMs)
  const unknownAddress = '0x0000000000000000000000000000000000000001'
  const state = facts.accounts.perp(unknownAddress, '')
  expect(state.marginSummary).toEqual({
    accountValue: '0.0',
    totalNtlPos: '0.0',
    totalRawUsd: '0.0',
    totalMarginUsed: '0.0',
  })
  expect([state.withdrawable, state.assetPositions, state.time]).toEqual(['0.0', [], world.endMs])
  expect(facts.fills.native(unknownAddress, 10)).toEqual([])
  expect(facts.orders.open(unknownAddress, '')).toEqual([])
  expect(facts.accounts.ledger(unknownAddress, 10)).toEqual([])
})
