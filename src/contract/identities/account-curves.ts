/** Values and flows of an account over time: curves, drawdown, flows, values. */

import { Exact } from '../../decimal/exact.ts'
import { CONTRACT } from '../operations.ts'
import type { LedgerUpdate, SpotState, VenuePortfolio } from '../records/account-state.ts'
import type { SpotContext } from '../records/asset-context.ts'
import type { Drawdown, PnlCurve, PortfolioCurve } from '../records/completed-trade.ts'
import type { TraderAccount } from '../records/trader-search.ts'
import { broughtIn, statesOf } from './account-money.ts'
import {
  allRows,
  answerOf,
  atMost,
  type Comparison,
  equal,
  type Identity,
  type InfoRequests,
  isWhole,
  MICRO,
  NOTHING,
  product,
  rounded,
  sum,
} from './identity.ts'

const { perpdex } = CONTRACT

const WINDOWS = ['day', 'week', 'month', 'allTime'] as const
const DAYS = { day: '1', week: '7', month: '30', allTime: '0' } as const

function* accountOf(address: string): InfoRequests<TraderAccount | null> {
  const rows = yield* answerOf(perpdex.tradersAccounts, { body: { addresses: [address] } })
  return rows?.[0] ?? null
}

function* curveOf(address: string, window: string): InfoRequests<PortfolioCurve | null> {
  return yield* answerOf(perpdex.portfolio, { path: { address, window } })
}

export const accountOfStates: Identity = {
  id: 'account',
  sentence: 'Values of an account are those of its states: main dex, builder dexes, margin.',
  source: 'perpdex.tradersAccounts, clearinghouseState, perpDexs; Account, net-value semantics',
  *compare(user) {
    const account = yield* accountOf(user)
    const states = yield* statesOf(user)
    const main = states.find(([dex]) => dex === '')?.[1]
    if (!account || !main) return []
    const records = { account, main }
    const others = states.flatMap(([dex, { marginSummary }]) =>
      dex === '' ? [] : [marginSummary.accountValue],
    )
    const { accountValue, totalMarginUsed, totalNtlPos } = main.marginSummary
    const { perpValue, builderPerpValue, marginUsage, currentPosition } = account
    const size = Exact.of(accountValue).absolute()
    const within = rounded(product(size, '0.0001').plus(MICRO))
    const isWorth = !size.isAtMost(MICRO)
    return [
      equal('perpValue', perpValue, accountValue, records),
      equal('builderPerpValue', builderPerpValue, sum(others), others),
      equal('marginUsage', marginUsage, totalMarginUsed, records),
      equal('currentPosition', currentPosition, main.assetPositions.length, records),
      ...(isWorth
        ? [
            {
              ...equal('rate', product(account.marginUsageRate, perpValue), marginUsage, records),
              ...within,
            },
            {
              ...equal(
                'effLeverage',
                product(account.effLeverage, perpValue),
                totalNtlPos,
                records,
              ),
              ...within,
            },
          ]
        : []),
    ]
  },
}

export const spotOfAccount: Identity = {
  id: 'spot-value',
  sentence: 'The spot value of an account is its balances at their prices, none below zero.',
  source: 'perpdex.tradersAccounts, spotClearinghouseState, spotMeta, webData2; Account, spotValue',
  *compare(user) {
    const account = yield* accountOf(user)
    const state = (yield { type: 'spotClearinghouseState', user }) as SpotState | null
    if (!account || !state) return []
    const marks = yield* marksOfTokens(user)
    const values = state.balances.map(({ coin, token, total }) => {
      const mark = coin === 'USDC' ? '1' : marks.get(token)
      return mark === undefined || total.startsWith('-') ? NOTHING : product(total, mark)
    })
    const records = { account, balances: state.balances }
    const within = rounded(product(MICRO, values.length + 1))
    return [{ ...equal('spotValue', account.spotValue, sum(values), records), ...within }]
  },
}

/** The mark price of each token in dollars, by its number. */
function* marksOfTokens(user: string): InfoRequests<Map<number, string>> {
  const meta = (yield { type: 'spotMeta' }) as {
    universe: { tokens: number[]; name: string }[]
  } | null
  const shown = (yield { type: 'webData2', user }) as { spotAssetCtxs: SpotContext[] } | null
  const byPair = new Map(shown?.spotAssetCtxs.map(({ coin, markPx }) => [coin, markPx]))
  return new Map(
    (meta?.universe ?? []).flatMap(({ tokens: [base, quote], name }) => {
      const mark = byPair.get(name)
      return base !== undefined && quote === 0 && mark !== undefined ? [[base, mark]] : []
    }),
  )
}

export const balancesOfSpot: Identity = {
  id: 'spot-balances',
  sentence:
    'A spot balance is the same in the batch and in info, and holds back no more than it is.',
  source:
    'perpdex.tradersSpotClearinghouseState, spotClearinghouseState; one fact through two endpoints',
  *compare(user) {
    const state = (yield { type: 'spotClearinghouseState', user }) as SpotState | null
    const body = { addresses: [user] }
    const rows = yield* answerOf(perpdex.tradersSpotClearinghouseState, { body })
    const others = rows?.[0]?.spotState.balances ?? []
    return (state?.balances ?? []).flatMap((balance) => {
      const other = others.find(({ token }) => token === balance.token)
      const records = { balance, other }
      const { coin, total, hold } = balance
      const most = total.startsWith('-') ? '0' : total
      return [
        equal(`${coin} total`, total, other?.total ?? 0, records),
        equal(`${coin} hold`, hold, other?.hold ?? 0, records),
        equal(`${coin} cost`, balance.entryNtl, other?.entryNtl ?? 0, records),
        atMost(`${coin} held`, hold, most, records),
      ]
    })
  },
}

export const endsOfCurves: Identity = {
  id: 'portfolio-ends',
  sentence: 'The last value of each portfolio is what the account is worth, its PnL that of pnls.',
  source:
    'perpdex.portfolio, perpdex.tradersAccounts, perpdex.pnls, ' +
    'perpdex.batchPnls; one fact through three endpoints',
  *compare(address) {
    const account = yield* accountOf(address)
    if (!account) return []
    const comparisons: Comparison[] = []
    for (const window of WINDOWS) {
      const curve = yield* curveOf(address, window)
      const parameters = { path: { address }, query: { period: DAYS[window] } }
      const pnls = pnlsOf(yield* answerOf(perpdex.pnls, parameters))
      const value = curve?.accountValue.at(-1)
      if (!curve || !value) continue
      const of = (what: string) => `${window} ${what}`
      comparisons.push(equal(of('value'), value.value, account.totalValue, { value, account }))
      const pnl = curve.pnl.at(-1)?.value ?? 0
      comparisons.push(equal(of('pnl'), pnls.at(-1) ?? 0, pnl, curve.pnl.at(-1)))
      const body = { addresses: [address], period: Number(DAYS[window]) }
      const [batch] = (yield* answerOf(perpdex.batchPnls, { body })) ?? []
      const same = pnlsOf(batch?.pnls ?? null).at(-1) ?? 0
      comparisons.push(equal(of('batch'), same, pnl, batch?.pnls.at(-1)))
    }
    return comparisons
  },
}

const pnlsOf = (curve: PnlCurve | null): string[] =>
  (curve ?? []).map((point) => ('pnl' in point ? point.pnl : point.v))

export const sharedPoints: Identity = {
  id: 'portfolio-points',
  sentence: 'Windows of a portfolio agree at each time that both have, and so does the PnL since.',
  source: 'perpdex.portfolio; day, week, month and allTime are one history',
  *compare(address) {
    const comparisons: Comparison[] = []
    let shorter = yield* curveOf(address, 'day')
    for (const window of WINDOWS.slice(1)) {
      const longer = yield* curveOf(address, window)
      if (shorter && longer) comparisons.push(...agreeing(shorter, longer, window))
      shorter = longer
    }
    return comparisons
  },
}

/** Two curves have one value at a common time, and one PnL up to now. */
function agreeing(shorter: PortfolioCurve, longer: PortfolioCurve, window: string): Comparison[] {
  const values = new Map(longer.accountValue.map(({ time, value }) => [time, value]))
  const pnls = new Map(longer.pnl.map(({ time, value }) => [time, value]))
  const [shortEnd, longEnd] = [shorter.pnl.at(-1)?.value, longer.pnl.at(-1)?.value]
  const since = (end: string | undefined, value: string) =>
    Exact.of(end ?? '0').minus(Exact.of(value))
  const within = rounded(product(MICRO, 4))
  return [
    ...shorter.accountValue.flatMap(({ time, value }) => {
      const other = values.get(time)
      if (other === undefined) return []
      const records = { time, shorter: value, longer: other }
      return [{ ...equal(`${window} value ${time}`, value, other, records), ...within }]
    }),
    ...shorter.pnl.flatMap(({ time, value }) => {
      const other = pnls.get(time)
      if (other === undefined) return []
      const [left, right] = [since(shortEnd, value), since(longEnd, other)]
      const records = {
        time,
        shorter: { pnl: value, end: shortEnd },
        longer: { pnl: other, end: longEnd },
      }
      return [{ ...equal(`${window} pnl ${time}`, left, right, records), ...within }]
    }),
  ]
}

export const portfolioOfVenue: Identity = {
  id: 'venue-portfolio',
  sentence: 'The last value of all windows of the venue is one, and that of perpetuals is one.',
  source: 'portfolio; day, week, month and allTime are one history',
  *compare(user) {
    const windows = new Map((yield { type: 'portfolio', user }) as VenuePortfolio)
    const last = (name: string) =>
      windows.get(name as 'day')?.accountValueHistory.at(-1)?.[1] ?? '0'
    const compared = (name: string, day: string) =>
      equal(name, last(name), last(day), { [name]: last(name), [day]: last(day) })
    return [
      ...['week', 'month', 'allTime'].map((name) => compared(name, 'day')),
      ...['perpWeek', 'perpMonth', 'perpAllTime'].map((name) => compared(name, 'perpDay')),
    ]
  },
}

export const wealthOfAccount: Identity = {
  id: 'wealth',
  sentence: 'All assets of an account are its PnL of all time plus what came in.',
  source:
    'perpdex.tradersAccounts, perpdex.pnls, ' +
    'perpdex.batchNetFlow; Account: totalValue + builderPerpValue are all assets',
  *compare(address) {
    const account = yield* accountOf(address)
    const parameters = { path: { address }, query: { period: '0' } }
    const pnl = pnlsOf(yield* answerOf(perpdex.pnls, parameters)).at(-1) ?? '0'
    const body = { addresses: [address], days: 0 }
    const [flow] = (yield* answerOf(perpdex.batchNetFlow, { body })) ?? []
    if (!account || !flow) return []
    const assets = sum([account.totalValue, account.builderPerpValue])
    const records = { account, pnl, flow }
    const right = sum([pnl, flow.netPerpIn, flow.netSpotIn])
    return [{ ...equal('now', assets, right, records), ...rounded(product(MICRO, 4)) }]
  },
}

export const flowOfLedger: Identity = {
  id: 'net-flow',
  sentence: 'What came into the perpetual accounts is the sum of the ledger, alone and in a batch.',
  source:
    'perpdex.batchNetFlow, perpdex.netFlow, userNonFundingLedgerUpdates; Action map, net flow',
  *compare(user) {
    const all = { addresses: [user], days: 0 }
    const [ever] = (yield* answerOf(perpdex.batchNetFlow, { body: all })) ?? []
    const ledger = { type: 'userNonFundingLedgerUpdates', user }
    const entries = yield* allRows<LedgerUpdate>(ledger, 2000)
    const moved = entries.map((entry) => broughtIn(entry, user))
    const week = { addresses: [user], days: 7 }
    const [batch] = (yield* answerOf(perpdex.batchNetFlow, { body: week })) ?? []
    const parameters = { path: { address: user }, query: { days: '7' } }
    const flow = yield* answerOf(perpdex.netFlow, parameters)
    if (!ever || !batch || !flow) return []
    const records = { batch, flow }
    const comparisons = [
      equal('perpetuals of a week', batch.netPerpIn, flow.netPerpIn, records),
      equal('spot of a week', batch.netSpotIn, flow.netSpotIn, records),
    ]
    if (moved.includes(null) || !isWhole(entries)) return comparisons
    const sides = equal('of all time', ever.netPerpIn, sum(moved as Exact[]), entries)
    return [...comparisons, { ...sides, ...rounded(product(MICRO, entries.length + 1)) }]
  },
}

export const drawdownOfAccount: Identity = {
  id: 'drawdown',
  sentence:
    'The drawdown is what was lost as a part of the height and of what came in since, alone and ' +
    'in a batch.',
  source:
    'perpdex.maxDrawdown, perpdex.batchMaxDrawdown, perpdex.netFlow; Action map, max drawdown',
  *compare(address) {
    const comparisons: Comparison[] = []
    for (const days of [7, 30]) {
      const parameters = { path: { address }, query: { days: `${days}` } }
      const alone = yield* answerOf(perpdex.maxDrawdown, parameters)
      const flow = yield* answerOf(perpdex.netFlow, parameters)
      if (!alone) continue
      // Where netIn is that of all days it says nothing of the fall.
      const isOfFall = Number(alone.netIn) === 0 || alone.netIn !== flow?.netPerpIn
      if (isOfFall) comparisons.push(fallOf(alone, `${days} days`))
      const body = { addresses: [address], days }
      const [row] = (yield* answerOf(perpdex.batchMaxDrawdown, { body })) ?? []
      if (!row || !('MaxDrawdown' in row)) continue
      const records = { alone, row }
      comparisons.push(equal(`${days} batch`, row.MaxDrawdown, alone.maxDrawdown, records))
      comparisons.push(equal(`${days} high`, row.High.value, alone.high.value, records))
      comparisons.push(equal(`${days} low`, row.Low.value, alone.low.value, records))
      comparisons.push(equal(`${days} came in`, row.NetIn, alone.netIn, records))
    }
    return comparisons
  },
}

/** A withdrawal does not reduce the total, and a loss does not exceed it. */
function fallOf(drawdown: Drawdown, of: string): Comparison {
  const { high, low, netIn, maxDrawdown } = drawdown
  const lost = sum([high.value, netIn]).minus(Exact.of(low.value))
  const cameIn = netIn.startsWith('-') ? '0' : netIn
  const whole = larger(sum([high.value, cameIn]), lost)
  const within = rounded(product(whole, MICRO).plus(MICRO))
  return { ...equal(of, product(maxDrawdown, whole), lost, drawdown), ...within }
}

const larger = (one: Exact, other: Exact): Exact => (one.isAtMost(other) ? other : one)
