/** Accounts: positions and cash, open orders, balances, transfers. */
import { format, parse } from '../../../../decimal/quantity.ts'
import { UserError } from '../../../../platform/user-error.ts'
import type { AccountData, AccountOrder, AccountTransfer } from '../../../account-data.ts'
import { canonicalDecimal } from '../../../decimal-text.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from '../../../recorded-data.ts'
import type { AccountFact, MarketFact, NumberReader, Recogniser } from '../market-fact.ts'
import { recordIn, recordsIn, textIn, timeIn } from '../market-fact.ts'

/** Positions and cash of one account. */
export const accountState: Recogniser = {
  sources: ['info/clearinghouseState', 'channel/clearinghouseState'],
  facts({ data, requested, timeMs, numbers }) {
    if (data === null) return []
    const { clearinghouseState: pushed, user, dex } = recordIn(data)
    const state = pushed === undefined ? recordIn(data) : recordIn(pushed)
    return stateFacts(state, user ?? requested.user, dex ?? requested.dex, timeMs, numbers)
  },
}

/** The same for many accounts. */
export const accountStates: Recogniser = {
  sources: ['perpdex.tradersClearinghouseState', 'channel/addressClearinghouseState'],
  facts: ({ data, requested, timeMs, numbers }) =>
    recordsIn(Array.isArray(data) || data === null ? data : [data]).flatMap(({ address, state }) =>
      state == null ? [] : stateFacts(recordIn(state), address, requested.dex, timeMs, numbers),
    ),
}

/** Open orders. */
export const openOrders: Recogniser = {
  sources: ['info/openOrders', 'info/frontendOpenOrders', 'channel/openOrders'],
  facts({ data, requested, timeMs, numbers }) {
    const { orders = data, user = requested.user } = Array.isArray(data) ? {} : recordIn(data ?? {})
    return ordersFact(recordsIn(orders), user, timeMs, numbers)
  },
}

/** Changes of orders: the last one of each order that is still open. */
export const orderHistory: Recogniser = {
  sources: ['info/historicalOrders'],
  facts({ data, requested, timeMs, numbers }) {
    const changes = recordsIn(data)
    const ended = new Set(
      changes.flatMap(({ order, status }) => (status === 'open' ? [] : recordIn(order).oid)),
    )
    const open = changes.map(({ order }) => recordIn(order)).filter(({ oid }) => !ended.has(oid))
    return ordersFact(open, requested.user, timeMs, numbers).map((fact) => ({
      ...fact,
      isPartial: true,
    }))
  },
}

/** Balances of a spot account. */
export const balances: Recogniser = {
  sources: ['info/spotClearinghouseState'],
  facts: ({ data, requested, timeMs, numbers }) =>
    data === null ? [] : spotFacts(data, requested.user, timeMs, numbers),
}

/** The same for many accounts. */
export const spotStates: Recogniser = {
  sources: ['perpdex.tradersSpotClearinghouseState'],
  facts: ({ data, timeMs, numbers }) =>
    recordsIn(data).flatMap(({ address, spotState }) =>
      spotState == null ? [] : spotFacts(spotState, address, timeMs, numbers),
    ),
}

/** Deposits and withdrawals. */
export const transfers: Recogniser = {
  sources: ['info/userNonFundingLedgerUpdates'],
  facts({ data, requested, timeMs }) {
    const rows = recordsIn(data).flatMap(({ time, delta }): AccountTransfer[] => {
      const { type, usdc } = recordIn(delta)
      if (type !== 'deposit' && type !== 'withdraw') return []
      return [{ timeMs: timeIn(time), type, usd: amountIn(usdc) }]
    })
    return rows.length === 0 ? [] : factOf(requested.user, '', timeMs, { transfers: rows })
  },
}

function stateFacts(
  state: UnknownRecord,
  address: unknown,
  dex: unknown,
  timeMs: number,
  numbers: NumberReader,
): MarketFact[] {
  const { accountValue } = recordIn(state.marginSummary)
  let cash = parse(amountIn(accountValue), 6)
  const positions = recordsIn(state.assetPositions).map(({ position }) => {
    const { coin: name, szi, entryPx, leverage, unrealizedPnl } = recordIn(position)
    const coin = textIn(name, 'a coin')
    const { type, value } = recordIn(leverage)
    cash -= parse(amountIn(unrealizedPnl), 6)
    return {
      coin,
      szi: signedSize(coin, szi, numbers),
      entryPx: numbers.decimal(entryPx),
      leverage: isWholeNumber(value) && value > 0 ? value : 1,
      isolated: type === 'isolated',
    }
  })
  const reported = Math.min(isWholeNumber(state.time) ? state.time : timeMs, timeMs)
  const name = typeof dex === 'string' ? dex : ''
  const facts = factOf(address, name, reported, { cash: format(cash, 6, 6), positions })
  return [...facts, ...pricesIn(state, reported)]
}

/** USD, to the micro-dollar: sums of the source have digits of noise. */
function amountIn(value: unknown): string {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value).toFixed(6)
  throw new UserError(`has ${excerptOf(value)} for an amount of USD`)
}

/** Marks that value positions, for coins without a better source. */
const pricesIn = ({ assetPositions }: UnknownRecord, timeMs: number): MarketFact[] =>
  recordsIn(assetPositions).flatMap(({ position }): MarketFact[] => {
    const { coin, szi, positionValue } = recordIn(position)
    const mark = Math.abs(Number(positionValue) / Number(szi))
    if (!(mark > 0 && mark < 1e9)) return []
    const px = canonicalDecimal(Number(mark.toPrecision(8)).toFixed(10))
    return px === '0' ? [] : [{ kind: 'price', coin: textIn(coin, 'a coin'), timeMs, px }]
  })

function signedSize(coin: string, szi: unknown, numbers: NumberReader): string {
  const isShort = typeof szi === 'string' && szi.startsWith('-')
  const size = numbers.sz(coin, isShort ? szi.slice(1) : szi)
  return isShort ? `-${size}` : size
}

function ordersFact(
  orders: readonly UnknownRecord[],
  user: unknown,
  timeMs: number,
  numbers: NumberReader,
): AccountFact[] {
  return factOf(user, '', timeMs, { orders: orders.map((order) => orderIn(order, numbers)) })
}

function orderIn(order: UnknownRecord, numbers: NumberReader): AccountOrder {
  const coin = textIn(order.coin, 'a coin')
  const { side, tif, triggerPx, orderType, triggerCondition } = order
  const trigger = triggerPx == null ? '0' : numbers.decimal(triggerPx)
  return {
    coin,
    side: side === 'B' ? 'B' : 'A',
    limitPx: numbers.px(coin, order.limitPx),
    sz: numbers.sz(coin, order.sz),
    placedMs: timeIn(order.timestamp),
    orderType: typeof orderType === 'string' ? orderType : 'Limit',
    tif: typeof tif === 'string' ? tif : orderType === undefined ? 'Gtc' : null,
    reduceOnly: order.reduceOnly === true,
    triggerPx: trigger === '0' ? null : trigger,
    triggerCondition: typeof triggerCondition === 'string' ? triggerCondition : 'N/A',
  }
}

function spotFacts(
  state: unknown,
  address: unknown,
  timeMs: number,
  numbers: NumberReader,
): MarketFact[] {
  const rows = recordsIn(recordIn(state).balances).map(({ coin, total }) => ({
    token: textIn(coin, 'a token'),
    total: numbers.decimal(total),
  }))
  return factOf(address, '', timeMs, { balances: rows })
}

function factOf(
  address: unknown,
  dex: string,
  timeMs: number,
  part: Omit<AccountData, 'address' | 'dex'>,
): AccountFact[] {
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) return []
  const account: AccountData = { address: address.toLowerCase(), dex, ...part }
  return [{ kind: 'account', timeMs, account }]
}
