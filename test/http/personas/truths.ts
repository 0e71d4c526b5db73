/** The properties of each persona, by the endpoints about it. */
import { expect } from 'bun:test'
import type { SpotState } from '../../../src/contract/records/account-state.ts'
import type { Persona } from '../../../src/market/schema/schema.ts'
import { type AccountAnswers, accountAnswers } from '../../fixtures/account-answers.ts'
import type { RequestedMarket } from '../../fixtures/requested-market.ts'
import { earnsInCalm } from './calm-hours.ts'

type Truth = (
  answers: AccountAnswers,
  market: RequestedMarket,
  address: string,
) => void | Promise<void>

const HOUR_MS = 3_600_000

const TRUTHS: Record<Persona, Truth> = {
  star(star) {
    const { winRate, positions, profitPositions, realizedPnl } = star.statistics(30)
    expect([winRate, positions, profitPositions]).toEqual(['0.7', 100, 70])
    expect(star.stat(30)).toMatchObject({ winRate: '0.7', closePosCount: 100 })
    expect(Number(realizedPnl)).toBeGreaterThan(0)
    expect(star.completed().filter(({ pnl }) => Number(pnl) > 0)).toHaveLength(70)
    expect(star.state().assetPositions.length).toBeGreaterThan(0)
  },

  whale(whale, { ask }, address) {
    const positions = whale.state().assetPositions.map(({ position }) => position)
    expect(positions.length).toBeGreaterThan(0)
    for (const { positionValue } of positions)
      expect(Number(positionValue)).toBeGreaterThan(1_000_000)
    for (const { coin } of positions) {
      const query = { coin, take: '200' }
      const whales = ask('GET', '/hl/whales/open-positions', { query }) as { user: string }[]
      expect(whales.map(({ user }) => user)).toContain(address)
      expect(whale.executions(coin).executions.length).toBeGreaterThan(3)
    }
    expect(whale.completed().length).toBe(2 * positions.length)
    expect(Number(whale.account().totalValue)).toBeGreaterThan(10_000_000)
  },

  marketMaker(maker, market) {
    const fills = maker.userFills()
    expect(fills.length).toBeGreaterThan(400)
    expect(fills.filter(({ crossed }) => crossed)).toEqual([])
    expect(new Set(fills.map(({ side }) => side)).size).toBe(2)
    expect(Number(maker.statistics(30).realizedPnl)).toBeGreaterThan(0)
    expect((maker.info('openOrders') as { side: string }[]).length).toBeGreaterThan(1)
    earnsInCalm(market, fills)
  },

  overLeveraged(answers) {
    const [held, ...others] = answers.state().assetPositions
    expect(others).toEqual([])
    const { coin, liquidationPx, szi } = held?.position ?? {}
    const { markPx } = answers.info('activeAssetData', { coin }) as { markPx: string }
    const away = (Number(markPx) - Number(liquidationPx)) / Number(markPx)
    expect(away * Math.sign(Number(szi))).toBeGreaterThan(0.015)
    expect(away * Math.sign(Number(szi))).toBeLessThan(0.025)
  },

  twapWorker(worker, { nowMs }) {
    const twaps = worker.twaps()
    expect(twaps).toHaveLength(100)
    const running = twaps.filter(({ status }) => status === 'activated')
    expect(running).toHaveLength(1)
    const [one] = running
    expect(Number(one?.executedSz)).toBeGreaterThan(0)
    expect((one?.timestamp ?? 0) + (one?.minutes ?? 0) * 60_000).toBeGreaterThan(nowMs)
    const slices = worker.info('userTwapSliceFills') as { twapId: number; fill: { time: number } }[]
    const own = slices.filter(({ twapId }) => twapId === one?.twapId)
    const times = own.map(({ fill }) => fill.time).filter((time) => time < nowMs - 10 * 60_000)
    // A slice with too much slippage is left out; in the last minutes it waits for a trade.
    for (const [place, time] of times.slice(1).entries())
      expect(((times[place] as number) - time) % 30_000).toBe(0)
    expect(times.length).toBeGreaterThan(100)
  },

  liquidatedLastNight(answers, { nowMs }, address) {
    const [last, ...others] = answers.completed()
    expect(others).toEqual([])
    const ago = (nowMs - (last?.closeTime ?? 0)) / HOUR_MS
    expect(ago).toBeGreaterThan(8)
    expect(ago).toBeLessThan(12)
    expect(Number(last?.pnl)).toBeLessThan(0)
    expect(answers.state().assetPositions).toEqual([])
    const [newest] = answers.userFills()
    expect(newest?.liquidation?.liquidatedUser).toBe(address)
    expect(newest?.time).toBe(last?.closeTime as number)
    const updates = answers.info('userNonFundingLedgerUpdates') as { delta: { type: string } }[]
    expect(updates.map(({ delta }) => delta.type)).toContain('liquidation')
    // The list has the hundred largest.
    const listed = answers.liquidations(last?.coin ?? '')
    const own = listed.filter((row) => row.address === address)
    if (listed.length < 100 || own.length > 0)
      expect(own).toMatchObject([{ time: last?.closeTime, endPosition: '0' }])
  },

  beginner(beginner) {
    expect(beginner.completed()).toHaveLength(3)
    expect(beginner.stat(30)).toMatchObject({ winRate: '0.333333', closePosCount: 3 })
    expect(beginner.fills()).toHaveLength(6)
    expect(beginner.state().assetPositions).toEqual([])
    expect(Number(beginner.account().totalValue)).toBeLessThan(1_000)
  },

  empty(empty) {
    expect([empty.fills(), empty.orders(), empty.completed()]).toEqual([[], [], []])
    expect(empty.account()).toMatchObject({ totalValue: '0', currentPosition: 0 })
    expect(empty.state().marginSummary.accountValue).toBe('0.0')
    expect(empty.info('userNonFundingLedgerUpdates')).toEqual([])
  },

  unified(one) {
    const { totalValue, spotValue, perpValue } = one.account()
    expect(spotValue).toBe(totalValue)
    expect(Number(perpValue)).toBeGreaterThan(10_000)
    const { balances } = one.info('spotClearinghouseState') as SpotState
    expect(Number(balances[0]?.total)).toBeCloseTo(Number(perpValue), 5)
  },

  depositor(one) {
    const { totalValue, spotValue, perpValue } = one.account()
    expect(Number(totalValue)).toBeGreaterThan(Number(spotValue) + Number(perpValue) + 50_000)
    const updates = one.info('userNonFundingLedgerUpdates') as { delta: { type: string } }[]
    const types = new Set(updates.map(({ delta }) => delta.type))
    expect(types).toContain('vaultDeposit')
    expect(types).toContain('subAccountTransfer')
    expect(types.has('cStakingTransfer')).toBe(types.has('spotTransfer'))
  },

  borrower(one) {
    const { totalValue, spotValue, perpValue } = one.account()
    expect(spotValue).toBe('0')
    const { balances } = one.info('spotClearinghouseState') as SpotState
    expect(balances[0]).toMatchObject({ coin: 'USDC', total: '-35000.0', hold: '0.0' })
    expect(Number(totalValue)).toBeCloseTo(Number(perpValue) - 35_000, 5)
  },

  subAccount(one, market) {
    const updates = one.info('userNonFundingLedgerUpdates') as {
      delta: { type: string; user: string }
    }[]
    expect(updates).toMatchObject([
      { delta: { type: 'subAccountTransfer', user: market.persona('depositor') } },
    ])
    expect(one.state().assetPositions.length).toBeGreaterThan(0)
  },

  busiest(program) {
    expect(program.fills()).toHaveLength(2_000)
    expect(program.orders()).toHaveLength(2_000)
    expect(program.filledOrders()).toHaveLength(1_000)
    expect(program.completed()).toHaveLength(2_000)
    const [held] = program.state().assetPositions
    expect(program.executions(held?.position.coin ?? '').executions).toHaveLength(1_000)
  },
}

/** Checks a persona in a market, at its present instant. */
export async function isTrueOf(persona: Persona, market: RequestedMarket): Promise<void> {
  const address = market.persona(persona)
  await TRUTHS[persona](accountAnswers(market, address), market, address)
}
