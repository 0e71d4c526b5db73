/** What the fields of the bodies of `POST /info` change. */

import type { Parameter } from '../../../contract/parameters.ts'
import { type AskedOperation, rowsIn } from '../../derived/asked-operation.ts'
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

// Parameters of the bodies of `POST /info`: whose, on which dex, and how rows are put together.

/** Of accounts that trade much the least first: thousands of rows show no more than hundreds. */
const quietFirst = async (probe: Probe) => (await manyTraders(probe)).reverse()

/** Of accounts that are asked about one after the other, two are answered otherwise. */
const ofUsers =
  (part: (data: unknown) => unknown = (data) => data, users = quietFirst): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const found: unknown[] = []
    for (const user of await users(asked.probe)) {
      found.push(part(await asked.withValue(parameter, user).data()))
      if (!isSameJson(found.at(-1), found[0])) return
    }
    if (found.every(isNothing)) asked.probe.skip('no account has anything of it')
    assertAtMost(asked.probe, found.length, 1, `${nameOf(asked, parameter, 'another')} is the same`)
  }

/**
 * The same of accounts that are listed with something of it. That none has any is looked at again:
 * it may have gone since.
 */
const ofHolders =
  (part: (data: unknown) => unknown, holders: (probe: Probe) => Promise<string[]>): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const users = await holders(asked.probe)
      if (users.length < 2) asked.probe.skip('no two accounts are listed with any of it')
      const found: unknown[] = []
      for (const user of users) {
        found.push(part(await asked.withValue(parameter, user).data()))
        if (!isSameJson(found.at(-1), found[0])) return null
      }
      return `${nameOf(asked, parameter, 'each of those that are listed with it')} is the same`
    })

/** The main dex and another one are answered otherwise, for some account. */
const ofDexes =
  (part: (data: unknown) => unknown): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const [dex] = await builderDexes(asked.probe)
    const found: unknown[] = []
    for (const user of await manyTraders(asked.probe)) {
      const of = asked.with({ body: { user } })
      const main = part(await of.withValue(parameter, '').data())
      const other = part(await of.withValue(parameter, dex).data(of))
      if (!isSameJson(main, other)) return
      found.push(main, other)
    }
    if (found.every(isNothing)) asked.probe.skip('no account has anything of it')
    asked.probe.assert(
      false,
      `${nameOf(asked, parameter, dex)} is that of the main dex`,
      found.at(-1),
    )
  }

/** The same, asked about an account that has rows of several times. */
const forRows =
  (effect: Effect): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    for (const user of await quietFirst(asked.probe)) {
      const of = asked.with({ body: { user } })
      const times = new Set((await of.objects()).map(({ time }) => time))
      if (times.size > 2) return effect(of, parameter)
    }
    asked.probe.skip('no account has rows of three times')
  }

/** On, the fills of one order at one instant are one. */
const folds: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const user of await quietFirst(asked.probe)) {
    const of = asked.with({ body: { user } })
    const rows = (await of.withValue(parameter, undefined).objects()).filter(isCrossing)
    const names = rows.map(fillOf)
    const name = names.find((one, at) => names.indexOf(one) < at)
    if (name === undefined) continue
    const folded = await of.withValue(parameter, true).objects()
    const same = folded.filter((row) => fillOf(row) === name)
    asked.probe.assert(same.length < 2, `${nameOf(asked, parameter, true)} has one of it`, same)
    return
  }
  asked.probe.skip('no order of some accounts was filled by several at once')
}

const isCrossing = ({ crossed }: JsonObject): boolean => crossed === true

const fillOf = ({ oid, time }: JsonObject): string => `${oid} ${time}`

/** On, the newest comes first; off or left out, the oldest. */
const turnsRound: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const value of [true, false, undefined]) {
    const rows = await asked.withValue(parameter, value).objects()
    const times = rows.map(({ time }) => Number(time))
    if (new Set(times).size < 2) asked.probe.skip('there are no rows of two times')
    const isRight = value ? isNonIncreasing(times) : isNonDecreasing(times)
    asked.probe.assert(isRight, `${nameOf(asked, parameter, value)} is in its order`, times)
  }
}

/** An order that is asked for as that of its own account is the one that is answered. */
const ofOrders: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  let owners = 0
  for (const user of await manyTraders(asked.probe)) {
    const path = `/hl/filled-orders/${user}/latest`
    const rows = await objectsOf(asked.probe.lookup, { path, query: { limit: 2 } })
    for (const oid of rows.map((row) => Number(flatOrder(row).oid))) {
      const data = await asked.with({ body: { user, oid } }).data()
      const record = isJsonObject(data) && isJsonObject(data.order) ? data.order : {}
      const order = isJsonObject(record.order) ? record.order : {}
      asked.probe.assert(
        order.oid === oid,
        `${nameOf(asked, parameter, { user, oid })} is it`,
        data,
      )
    }
    if (rows.length > 1) owners++
    if (owners > 1) return
  }
  asked.probe.skip('no two accounts have orders')
}

/** Prices of a book have no more figures than are asked for. */
const figures: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const count of [2, 3, 4]) {
    const prices = pricesIn(await asked.withValue(parameter, count).data())
    if (prices.length === 0) asked.probe.skip('the book is empty')
    const wrong = prices.find((price) => figuresOf(price) > count)
    asked.probe.assert(
      wrong === undefined,
      `${nameOf(asked, parameter, count)} has ${wrong}`,
      prices,
    )
  }
}

const figuresOf = (price: string): number => digitsOf(price).replace(/0+$/, '').length

/** The last of five figures of every price is a multiple of it. */
const multiples: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const mantissa of [2, 5]) {
    const one = asked.with({ body: { nSigFigs: FIGURES } }).withValue(parameter, mantissa)
    const prices = pricesIn(await one.data())
    if (prices.length === 0) asked.probe.skip('the book is empty')
    const wrong = prices.find((price) => Number(digitsOf(price)[FIGURES - 1] ?? 0) % mantissa !== 0)
    const question = nameOf(asked, parameter, mantissa)
    asked.probe.assert(wrong === undefined, `${question} has ${wrong}`, prices)
  }
}

/** With so many alone there is a mantissa. */
const FIGURES = 5

/** Of both sides of a book. */
function pricesIn(data: unknown): string[] {
  const sides = isJsonObject(data) ? rowsIn(data.levels) : []
  return sides.flatMap(rowsIn).map((level) => String(isJsonObject(level) && level.px))
}

/** Those of a price from its first figure on. */
const digitsOf = (price: string): string => price.replace('.', '').replace(/^0+/, '')

const user: EffectEntry = { effect: ofUsers() }
const named: EffectEntry = { effect: names('user', twoTraders) }

/** Of a state what only trades change. */
const cash = (data: unknown) =>
  isJsonObject(data) && isJsonObject(data.marginSummary) ? data.marginSummary.totalRawUsd : null

const balances = (data: unknown) => (isJsonObject(data) ? data.balances : null)

const oids = (data: unknown) =>
  (Array.isArray(data) ? data : []).filter(isJsonObject).map(({ oid }) => oid)

const orders = {
  user: { effect: ofHolders(oids, someResting) },
  dex: { effect: ofDexes(oids) },
} as const

/** Of the market, whose accounts it does not name. */
const dexes: EffectEntry = {
  effect: differs(async (probe) => ['', ...(await builderDexes(probe)).slice(0, 1)]),
}

const hourly =
  (effect: Effect): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ body: { req: { interval: '1h' } } }), parameter)

const from: EffectEntry = { effect: forRows(bounded('start', 'time')) }
const until: EffectEntry = { effect: forRows(bounded('end', 'time')) }
const ledger = (edge: 'start' | 'end'): EffectEntry => ({
  effect: forRows(both(bounded(edge, 'time'), keepsInside(edge, 'time'))),
})

/** What the parameters of `POST /info` change, by operation and parameter. */
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
