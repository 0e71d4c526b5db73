/** An account with more fills than the service returns: what is known of it is compared. */
import { expect, test } from 'bun:test'
import type { UserFill } from '../records/fill.ts'
import { volumeOfDays } from './account-fees.ts'
import { cashOfAccount, fundingOfPositions, volumeOfFills } from './account-money.ts'
import { fundingSinceOpen } from './account-positions.ts'
import { chainOfPositions } from './account-trades.ts'
import { holds, type Identity, type InfoBody, type Question } from './identity.ts'

const RETURNED = 10_000
const MADE = 10_400
const PAID = 12_000
const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 5)
/** Three days and a half. */
const STEP_MS = 30_000

/** Buys one, sells two, buys two and so on, so the position changes its sign at each fill. */
const FILLS = Array.from({ length: MADE }, (_, at) => {
  const side = at % 2 === 0 ? 'B' : 'A'
  const startPosition = at === 0 ? '0' : side === 'A' ? '1' : '-1'
  const own = { coin: 'BTC', side, px: '100', sz: at === 0 ? '1' : '2', startPosition, tid: at }
  const money = { closedPnl: '0', fee: '0.1', crossed: true, feeToken: 'USDC' }
  return { ...own, ...money, time: START_MS + at * STEP_MS, oid: at } as unknown as UserFill
})
const VOLUME = MADE * 200 - 100
const dateOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)
const volumeOn = (date: string) =>
  FILLS.filter(({ time }) => dateOf(time) === date).reduce(
    (sum, { sz }) => sum + 100 * Number(sz),
    0,
  )

/** Payments of more hours than are read. */
const PAYMENTS = Array.from({ length: PAID }, (_, at) => ({
  time: START_MS + at,
  delta: { coin: 'BTC', usdc: '-1' },
}))

const POSITION = { coin: 'BTC', szi: '-1', unrealizedPnl: '0', cumFunding: cumFunding(PAID) }

function cumFunding(paid: number) {
  return { allTime: `${paid}`, sinceOpen: `${paid}`, sinceChange: '0' }
}

function pageOf<T extends { time: number }>(rows: readonly T[], from: unknown, most: number): T[] {
  return rows.filter(({ time }) => time >= Number(from)).slice(0, most)
}

function answerTo(question: InfoBody, fills: readonly UserFill[]): unknown {
  const { startTime } = question
  switch (question.type) {
    case 'perpDexs':
      return [null]
    case 'clearinghouseState':
      return {
        marginSummary: { accountValue: '5' },
        assetPositions: [{ position: POSITION }],
      }
    case 'userFillsByTime':
      return pageOf(fills.slice(-RETURNED), startTime, 2000)
    case 'userFunding':
      return pageOf(PAYMENTS, startTime, 500)
    case 'portfolio':
      return [['allTime', { vlm: `${VOLUME}` }]]
    case 'userFees':
      return {
        dailyUserVlm: [0, 1, 2, 3].map((day) => {
          const date = dateOf(START_MS + day * DAY_MS)
          return { date, userCross: `${volumeOn(date)}`, userAdd: '0', exchange: '1000000000' }
        }),
      }
    default:
      return []
  }
}

function comparisonsOf(identity: Identity, fills: readonly UserFill[] = FILLS) {
  const asking = identity.compare('0xabc')
  let step = asking.next()
  while (!step.done)
    step = asking.next(step.value && answerTo(step.value as Question as InfoBody, fills))
  return step.value
}

const failing = (identity: Identity, fills?: readonly UserFill[]) =>
  comparisonsOf(identity, fills).filter((one) => !holds(one))

const ALL = [
  cashOfAccount,
  fundingOfPositions,
  fundingSinceOpen,
  volumeOfFills,
  volumeOfDays,
  chainOfPositions,
]

test.each(ALL)('$id accuses no account whose first rows are not returned', (identity) => {
  expect(failing(identity)).toEqual([])
})

/** The last fill is of another size. */
const altered = FILLS.map((fill, at) => (at === MADE - 1 ? { ...fill, sz: '900' } : fill))

test('what is returned is compared still', () => {
  expect(comparisonsOf(chainOfPositions)).toHaveLength(RETURNED)
  expect(failing(chainOfPositions, altered)).toHaveLength(1)
  expect(comparisonsOf(volumeOfDays).length).toBe(9)
  expect(failing(volumeOfDays, altered)).toHaveLength(1)
  expect(comparisonsOf(volumeOfFills)).toHaveLength(1)
  const tenfold = FILLS.map((fill) => ({ ...fill, sz: `${10 * Number(fill.sz)}` }))
  expect(failing(volumeOfFills, tenfold)).toHaveLength(1)
})
