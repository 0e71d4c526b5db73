/** Parameters of the bodies of `POST /info`: whose, on which dex, and how rows are put together. */

import type { Parameter } from '../../contract/parameters.ts'
import { assertAtMost } from '../assertions.ts'
import { type AskedOperation, rowsIn } from '../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { objectsOf, retryUntilHeld } from '../response-reading.ts'
import { flatOrder } from '../target-lookups.ts'
import { isNonDecreasing, isNonIncreasing, isSameJson } from '../value-checks.ts'
import { type Effect, isNothing, nameOf } from './effect.ts'
import { builderDexes, manyTraders } from './known-values.ts'

/** Of accounts that trade much the least first: thousands of rows show no more than hundreds. */
const quietFirst = async (probe: Probe) => (await manyTraders(probe)).reverse()

/** Of accounts that are asked about one after the other, two are answered otherwise. */
export const ofUsers =
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
export const ofHolders =
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
export const ofDexes =
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
export const forRows =
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
export const folds: Effect = async (asked: AskedOperation, parameter: Parameter) => {
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
export const turnsRound: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const value of [true, false, undefined]) {
    const rows = await asked.withValue(parameter, value).objects()
    const times = rows.map(({ time }) => Number(time))
    if (new Set(times).size < 2) asked.probe.skip('there are no rows of two times')
    const isRight = value ? isNonIncreasing(times) : isNonDecreasing(times)
    asked.probe.assert(isRight, `${nameOf(asked, parameter, value)} is in its order`, times)
  }
}

/** An order that is asked for as that of its own account is the one that is answered. */
export const ofOrders: Effect = async (asked: AskedOperation, parameter: Parameter) => {
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
export const figures: Effect = async (asked: AskedOperation, parameter: Parameter) => {
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
export const multiples: Effect = async (asked: AskedOperation, parameter: Parameter) => {
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
