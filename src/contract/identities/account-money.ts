/** Identities of an account's money: its value is deposits, plus income, minus costs. */

import { Exact } from '../../decimal/exact.ts'
import type { LedgerUpdate, NativeState, VenuePortfolio } from '../records/account-state.ts'
import type { UserFill } from '../records/fill.ts'
import type { FundingPayment } from '../records/funding.ts'
import { allRows, type Comparison, type Identity, type InfoRequests, isWhole } from './identity.ts'

const NOTHING = Exact.of(0)
/** Money is rounded to a millionth of a dollar. */
const MICRO = Exact.of('0.000001')

/** The name of a dex as comparisons show it. */
export const dexName = (dex: string): string => (dex === '' ? 'main dex' : dex)

/** The states of an account on all dexes, by the name of the dex. */
export function* statesOf(user: string): InfoRequests<[dex: string, state: NativeState][]> {
  const dexs = (yield { type: 'perpDexs' }) as ({ name: string } | null)[]
  const states: [string, NativeState][] = []
  for (const one of dexs) {
    const dex = one?.name ?? ''
    states.push([dex, (yield { type: 'clearinghouseState', user, dex }) as NativeState])
  }
  return states
}

const fillsOf = (user: string) => allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)
const paymentsOf = (user: string) => allRows<FundingPayment>({ type: 'userFunding', user }, 500)

export const cashOfAccount: Identity = {
  id: 'cash',
  sentence:
    'What all perpetual accounts are worth is what came in less what went out, plus closed PnL, ' +
    'less fees, plus funding, plus unrealised PnL.',
  source: 'userNonFundingLedgerUpdates, userFillsByTime, userFunding, clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    const all = yield* fillsOf(user)
    const fills = all.filter(({ coin }) => !isSpot(coin))
    const payments = yield* paymentsOf(user)
    const entries = yield* allRows<LedgerUpdate>(
      { type: 'userNonFundingLedgerUpdates', user },
      2000,
    )
    const moved = entries.map((entry) => broughtIn(entry, user))
    if (moved.includes(null) || ![all, payments, entries].every(isWhole)) return []
    const paidIn = Exact.sum(moved as Exact[])
    const closed = Exact.sum(fills.map(({ closedPnl }) => Exact.of(closedPnl)))
    const fees = Exact.sum(fills.map(({ fee }) => Exact.of(fee)))
    const funding = Exact.sum(payments.map(({ delta }) => Exact.of(delta.usdc)))
    const unrealised = Exact.sum(
      states.flatMap(([, { assetPositions }]) =>
        assetPositions.map(({ position }) => Exact.of(position.unrealizedPnl)),
      ),
    )
    const values = states.map(([, { marginSummary }]) => Exact.of(marginSummary.accountValue))
    const records = {
      ...{ paidIn, closed, fees, funding, unrealised },
      entries: entries.map(({ time, delta }, at) => ({
        time,
        type: delta.type,
        paidIn: moved[at],
      })),
      fills: fills.map(({ tid, closedPnl, fee }) => ({ tid, closedPnl, fee })),
      payments: payments.map(({ time, delta: { coin, usdc } }) => ({ time, coin, usdc })),
      positions: states.flatMap(([, { assetPositions }]) =>
        assetPositions.map(({ position: { coin, unrealizedPnl } }) => ({ coin, unrealizedPnl })),
      ),
    }
    const earned = closed.minus(fees).plus(funding).plus(unrealised)
    return [equal('all dexes', Exact.sum(values), paidIn.plus(earned), records)]
  },
}

export const fundingOfPositions: Identity = {
  id: 'funding',
  sentence: 'All payments of funding of a coin sum up to minus its cumFunding.allTime.',
  source: 'userFunding, clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    const payments = yield* paymentsOf(user)
    if (!isWhole(payments)) return []
    return states.flatMap(([, { assetPositions }]) =>
      assetPositions.map(({ position: { coin, cumFunding } }) => {
        const own = payments.filter(({ delta }) => delta.coin === coin)
        const paid = Exact.sum(own.map(({ delta }) => Exact.of(delta.usdc)))
        return equal(coin, paid, Exact.of(cumFunding.allTime).negated(), own)
      }),
    )
  },
}

export const volumesOfPortfolio: Identity = {
  id: 'volumes',
  sentence: 'The volume of a day is at most that of a week, of a month, and of all time.',
  source: 'portfolio',
  *compare(user) {
    const windows = new Map((yield { type: 'portfolio', user }) as VenuePortfolio)
    const volume = (name: string) => Exact.of(windows.get(name as 'day')?.vlm ?? '0')
    return ['day week', 'week month', 'month allTime', 'perpAllTime allTime'].map((pair) => {
      const [shorter = '', longer = ''] = pair.split(' ')
      const sides = { left: volume(shorter), right: volume(longer) }
      const records = { [shorter]: sides.left, [longer]: sides.right }
      return { of: pair, ...sides, relation: 'atMost', records }
    })
  },
}

export const volumeOfFills: Identity = {
  id: 'fills-volume',
  sentence: 'The volume of all fills is that of all time.',
  source: 'portfolio, userFillsByTime',
  *compare(user) {
    const windows = new Map((yield { type: 'portfolio', user }) as VenuePortfolio)
    const fills = yield* fillsOf(user)
    const records = fills.map(valuedFill)
    const ever = Exact.of(windows.get('allTime')?.vlm ?? '0')
    const within = MICRO.times(Exact.of(fills.length))
    const left = Exact.sum(records.map(({ value }) => value))
    const sides = { left, right: ever, records, within }
    return [{ of: 'all time', relation: isWhole(fills) ? 'equal' : 'atMost', ...sides }]
  },
}

export const valueOfPortfolio: Identity = {
  id: 'portfolio-value',
  sentence: 'The last perpetual value of the portfolio is that of all clearinghouse states.',
  source: 'portfolio, clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    const windows = new Map((yield { type: 'portfolio', user }) as VenuePortfolio)
    const last = windows.get('perpDay')?.accountValueHistory.at(-1)
    if (!last) return []
    const values = states.map(([dex, { marginSummary }]) => ({
      dex: dexName(dex),
      accountValue: marginSummary.accountValue,
    }))
    const right = Exact.sum(values.map(({ accountValue }) => Exact.of(accountValue)))
    return [equal('now', Exact.of(last[1]), right, values)]
  },
}

function equal(of: string, left: Exact, right: Exact, records: object): Comparison {
  return { of, left, relation: 'equal', right, records }
}

/** A fill with its value, as the records of a volume. */
export const valuedFill = ({ tid, px, sz }: UserFill) => ({
  ...{ tid, px, sz },
  value: Exact.of(px).times(Exact.of(sz)),
})

const isSpot = (coin: string) => coin.includes('/') || coin.startsWith('@')

/** The amount that an entry added to the perpetual accounts; null for an unknown kind. */
export function broughtIn({ delta }: LedgerUpdate, user: string): Exact | null {
  const amount = Exact.of(String(delta.usdc ?? delta.amount ?? 0))
  const sent = delta.destination === user ? amount : amount.negated()
  switch (delta.type) {
    case 'deposit':
      return amount
    // The amount includes its fee.
    case 'withdraw':
      return amount.negated()
    case 'internalTransfer':
      return sent
    case 'subAccountTransfer':
      return sent
    case 'vaultDeposit':
      return amount.negated()
    case 'accountClassTransfer':
      return delta.toPerp === true ? amount : amount.negated()
    case 'send':
      return sendOf(delta, amount, user)
    case 'liquidation':
    case 'spotTransfer':
    case 'cStakingTransfer':
      return NOTHING
    default:
      return null
  }
}

function sendOf(delta: LedgerUpdate['delta'], amount: Exact, user: string): Exact {
  const { sourceDex, destinationDex, destination, user: from } = delta
  let change = NOTHING
  if (from === user && sourceDex !== 'spot') change = change.minus(amount)
  if (destination === user && destinationDex !== 'spot') change = change.plus(amount)
  return change
}
