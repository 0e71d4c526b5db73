/** Effects of the fields of `POST /info` bodies. */

import type { Parameter } from '../../../contract/parameters.ts'
import { rowsIn, type TestedOperation } from '../../derived/tested-operation.ts'
import {
  builderDexes,
  type Effect,
  type EffectEntry,
  type EffectTable,
  isNothing,
  manyTraders,
  nameOf,
  someResting,
  someSpotHolders,
  someTwapAddresses,
  twoCoins,
  twoTraders,
} from '../../effects/effect.ts'
import { both, differs, names } from '../../effects/selection.ts'
import { bounded, keepsInside, span, steps } from '../../effects/spans.ts'
import { flatOrder } from '../../example-filler.ts'
import type { Probe } from '../../probe.ts'
import {
  assertAtMost,
  isJsonObject,
  isNonDecreasing,
  isNonIncreasing,
  isSameJson,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'

// Parameters of `POST /info` bodies: account, dex, and aggregation of rows.

/** The least active of the busy accounts first: thousands of rows show no more than hundreds. */
const quietFirst = async (probe: Probe) => (await manyTraders(probe)).reverse()

/** Among single accounts, two get different responses. */
const ofUsers =
  (part: (data: unknown) => unknown = (data) => data, users = quietFirst): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const found: unknown[] = []
    for (const user of await users(requested.probe)) {
      found.push(part(await requested.withValue(parameter, user).data()))
      if (!isSameJson(found.at(-1), found[0])) return
    }
    if (found.every(isNothing)) requested.probe.skip('no account has any')
    assertAtMost(
      requested.probe,
      found.length,
      1,
      `${nameOf(requested, parameter, 'another')} is the same`,
    )
  }

/**
 * The same for accounts listed as having data. An empty response is retried: the data may have gone
 * since.
 */
const ofHolders =
  (part: (data: unknown) => unknown, holders: (probe: Probe) => Promise<string[]>): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    retryUntilHeld(requested.probe, async () => {
      const users = await holders(requested.probe)
      if (users.length < 2) requested.probe.skip('no two accounts are listed with any of it')
      const found: unknown[] = []
      for (const user of users) {
        found.push(part(await requested.withValue(parameter, user).data()))
        if (!isSameJson(found.at(-1), found[0])) return null
      }
      return `${nameOf(requested, parameter, 'each of those that are listed with it')} is the same`
    })

/** The main dex and another one get different responses, for some account. */
const ofDexes =
  (part: (data: unknown) => unknown): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const [dex] = await builderDexes(requested.probe)
    const found: unknown[] = []
    for (const user of await manyTraders(requested.probe)) {
      const of = requested.with({ body: { user } })
      const main = part(await of.withValue(parameter, '').data())
      const other = part(await of.withValue(parameter, dex).data(of))
      if (!isSameJson(main, other)) return
      found.push(main, other)
    }
    if (found.every(isNothing)) requested.probe.skip('no account has any')
    requested.probe.assert(
      false,
      `${nameOf(requested, parameter, dex)} is that of the main dex`,
      found.at(-1),
    )
  }

/** The same for an account with rows of several times. */
const forRows =
  (effect: Effect): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    for (const user of await quietFirst(requested.probe)) {
      const of = requested.with({ body: { user } })
      const times = new Set((await of.objects()).map(({ time }) => time))
      if (times.size > 2) return effect(of, parameter)
    }
    requested.probe.skip('no account has rows of three times')
  }

/** When on, the fills of one order at one instant are merged. */
const folds: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const user of await quietFirst(requested.probe)) {
    const of = requested.with({ body: { user } })
    const rows = (await of.withValue(parameter, undefined).objects()).filter(isCrossing)
    const names = rows.map(fillOf)
    const name = names.find((one, at) => names.indexOf(one) < at)
    if (name === undefined) continue
    const folded = await of.withValue(parameter, true).objects()
    const same = folded.filter((row) => fillOf(row) === name)
    requested.probe.assert(
      same.length < 2,
      `${nameOf(requested, parameter, true)} has one of it`,
      same,
    )
    return
  }
  requested.probe.skip('no order of some accounts was filled by several at once')
}

const isCrossing = ({ crossed }: JsonObject): boolean => crossed === true

const fillOf = ({ oid, time }: JsonObject): string => `${oid} ${time}`

/** When on, the newest comes first; when off or left out, the oldest. */
const turnsRound: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const value of [true, false, undefined]) {
    const rows = await requested.withValue(parameter, value).objects()
    const times = rows.map(({ time }) => Number(time))
    if (new Set(times).size < 2) requested.probe.skip('there are no rows of two times')
    const isRight = value ? isNonIncreasing(times) : isNonDecreasing(times)
    requested.probe.assert(isRight, `${nameOf(requested, parameter, value)} is in its order`, times)
  }
}

/** An order requested with its account is returned. */
const ofOrders: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  let owners = 0
  for (const user of await manyTraders(requested.probe)) {
    const path = `/hl/filled-orders/${user}/latest`
    const rows = await objectsOf(requested.probe.lookup, { path, query: { limit: 2 } })
    for (const oid of rows.map((row) => Number(flatOrder(row).oid))) {
      const data = await requested.with({ body: { user, oid } }).data()
      const record = isJsonObject(data) && isJsonObject(data.order) ? data.order : {}
      const order = isJsonObject(record.order) ? record.order : {}
      requested.probe.assert(
        order.oid === oid,
        `${nameOf(requested, parameter, { user, oid })} is it`,
        data,
      )
    }
    if (rows.length > 1) owners++
    if (owners > 1) return
  }
  requested.probe.skip('no two accounts have orders')
}

/** Prices of a book have no more figures than requested. */
const figures: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const count of [2, 3, 4]) {
    const prices = pricesIn(await requested.withValue(parameter, count).data())
    if (prices.length === 0) requested.probe.skip('the book is empty')
    const wrong = prices.find((price) => figuresOf(price) > count)
    requested.probe.assert(
      wrong === undefined,
      `${nameOf(requested, parameter, count)} has ${wrong}`,
      prices,
    )
  }
}

const figuresOf = (price: string): number => digitsOf(price).replace(/0+$/, '').length

/** The last of five figures of every price is a multiple of it. */
const multiples: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const mantissa of [2, 5]) {
    const one = requested.with({ body: { nSigFigs: FIGURES } }).withValue(parameter, mantissa)
    const prices = pricesIn(await one.data())
    if (prices.length === 0) requested.probe.skip('the book is empty')
    const wrong = prices.find((price) => Number(digitsOf(price)[FIGURES - 1] ?? 0) % mantissa !== 0)
    const question = nameOf(requested, parameter, mantissa)
    requested.probe.assert(wrong === undefined, `${question} has ${wrong}`, prices)
  }
}

/** The only number of figures that allows a mantissa. */
const FIGURES = 5

/** Of both sides of a book. */
function pricesIn(data: unknown): string[] {
  const sides = isJsonObject(data) ? rowsIn(data.levels) : []
  return sides.flatMap(rowsIn).map((level) => String(isJsonObject(level) && level.px))
}

/** Digits of a price from its first figure on. */
const digitsOf = (price: string): string => price.replace('.', '').replace(/^0+/, '')

const user: EffectEntry = { effect: ofUsers() }
const named: EffectEntry = { effect: names('user', twoTraders) }

/** The part of a state that only trades change. */
const cash = (data: unknown) =>
  isJsonObject(data) && isJsonObject(data.marginSummary) ? data.marginSummary.totalRawUsd : null

const balances = (data: unknown) => (isJsonObject(data) ? data.balances : null)

const oids = (data: unknown) =>
  (Array.isArray(data) ? data : []).filter(isJsonObject).map(({ oid }) => oid)

const orders = {
  user: { effect: ofHolders(oids, someResting) },
  dex: { effect: ofDexes(oids) },
} as const

/** For market data, which names no accounts. */
const dexes: EffectEntry = {
  effect: differs(async (probe) => ['', ...(await builderDexes(probe)).slice(0, 1)]),
}

const hourly =
  (effect: Effect): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    effect(requested.with({ body: { req: { interval: '1h' } } }), parameter)

const from: EffectEntry = { effect: forRows(bounded('start', 'time')) }
const until: EffectEntry = { effect: forRows(bounded('end', 'time')) }
const ledger = (edge: 'start' | 'end'): EffectEntry => ({
  effect: forRows(both(bounded(edge, 'time'), keepsInside(edge, 'time'))),
})

/** Effects of `POST /info` fields, by operation and parameter. */
export const INFO_EFFECTS: EffectTable = {
  'perpdex.info': {
    type: { effect: differs(['meta', 'spotMeta', 'perpDexs']) },
    'meta.dex': dexes,
    'clearinghouseState.user': { effect: ofUsers(cash) },
    'clearinghouseState.dex': { effect: ofDexes(cash) },
    'spotClearinghouseState.user': { effect: ofHolders(balances, someSpotHolders) },
    'spotClearinghouseState.dex': { reason: 'there is one spot account' },
    'openOrders.user': orders.user,
    'openOrders.dex': orders.dex,
    'frontendOpenOrders.user': orders.user,
    'frontendOpenOrders.dex': orders.dex,
    'userFees.user': user,
    'userFills.user': user,
    'userFills.aggregateByTime': { effect: folds },
    'userFillsByTime.user': user,
    'userFillsByTime.startTime': from,
    'userFillsByTime.endTime': until,
    'userFillsByTime.aggregateByTime': { effect: folds },
    'userFillsByTime.reversed': { effect: forRows(turnsRound) },
    'candleSnapshot.req.coin': { effect: hourly(names('s', twoCoins)) },
    'candleSnapshot.req.interval': {
      effect: steps([span('15m'), span('1h'), span('4h')], { pick: 't' }),
    },
    'candleSnapshot.req.startTime': { effect: hourly(bounded('start', 't')) },
    'candleSnapshot.req.endTime': { effect: hourly(bounded('end', 't')) },
    'historicalOrders.user': user,
    'orderStatus.user': { effect: ofOrders },
    'orderStatus.oid': { effect: ofOrders },
    'userFunding.user': user,
    'userFunding.startTime': from,
    'userFunding.endTime': until,
    'userNonFundingLedgerUpdates.user': user,
    'userNonFundingLedgerUpdates.startTime': ledger('start'),
    'userNonFundingLedgerUpdates.endTime': ledger('end'),
    'portfolio.user': user,
    'webData2.user': named,
    'userTwapSliceFills.user': { effect: ofUsers((data) => data, someTwapAddresses) },
    'activeAssetData.user': named,
    'activeAssetData.coin': { effect: names('coin', twoCoins) },
    'allMids.dex': dexes,
    'l2Book.coin': { effect: names('coin', twoCoins) },
    'l2Book.nSigFigs': { effect: figures },
    'l2Book.mantissa': { effect: multiples },
  },
}
