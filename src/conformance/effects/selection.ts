/** Parameters that choose whom or what an answer is of. */

import { meaningOf } from '../../contract/meaning.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import { type AskedOperation, rowsIn } from '../derived/asked-operation.ts'
import { busyTraders, someCoins } from '../example-filler.ts'
import {
  isJsonObject,
  isNonDecreasing,
  isNonIncreasing,
  isSameJson,
  type JsonObject,
  retryUntilHeld,
} from '../responses.ts'
import {
  type Effect,
  isNothing,
  nameOf,
  type Pick,
  picked,
  recordsIn,
  type Values,
  valuesOf,
} from './effect.ts'

const isSame = (one: unknown, other: unknown) =>
  String(one).toLowerCase() === String(other).toLowerCase()

/** Every row of an answer, or the one record that it is, names the value that was asked for. */
export const names =
  (pick: Pick, values: Values): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    let seen = 0
    for (const value of await valuesOf(values, asked)) {
      const rows = recordsIn(await asked.withValue(parameter, value).data())
      const wanted = Array.isArray(value) ? value : [value]
      for (const row of rows) {
        const found = picked(pick, row)
        const isMeant = wanted.some((one) => isSame(one, found))
        asked.probe.assert(isMeant, `${nameOf(asked, parameter, value)} is of ${found}`, row)
      }
      seen += rows.length
    }
    if (seen === 0) asked.probe.skip(`the target has nothing to choose from by ${parameter.name}`)
  }

/** Not all values are answered alike. */
export const differs =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const found: unknown[] = []
    const sent = await valuesOf(values, asked)
    if (sent.length < 2) asked.probe.skip(`the target has one value only for ${parameter.name}`)
    for (const value of sent) found.push(part(await asked.withValue(parameter, value).data()))
    if (found.every(isNothing)) asked.probe.skip('the target has nothing of any of these')
    const [first, ...others] = found
    asked.probe.assert(
      others.some((other) => !isSameJson(other, first)),
      `${asked.operation.id} answers ${parameter.name}=${sent.join(' and ')} otherwise`,
      first,
    )
  }

/** No two values are answered alike, of those of which something is answered. */
export const apart =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const found = new Map<string, unknown>()
    for (const value of await valuesOf(values, asked)) {
      const said = part(await asked.withValue(parameter, value).data())
      if (isNothing(said)) continue
      const text = JSON.stringify(said)
      const other = found.get(text)
      const question = nameOf(asked, parameter, value)
      asked.probe.assert(!found.has(text), `${question} is answered otherwise than ${other}`, said)
      found.set(text, value)
    }
    if (found.size < 2) asked.probe.skip('the target has nothing of two values')
  }

/** One look after the other. */
export const both =
  (...effects: readonly Effect[]): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    for (const effect of effects) await effect(asked, parameter)
  }

/** The same, of some account: one may have done the same in every span. */
export const differsForSome =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const address = parametersOf(asked.operation).find(({ name }) => name === 'address')
    const found: unknown[] = []
    for (const trader of (await busyTraders(asked.probe)).slice(0, SUBJECTS_MAX)) {
      const one = address ? asked.withValue(address, trader) : asked
      const answers: unknown[] = []
      for (const value of await valuesOf(values, asked))
        answers.push(part(await one.withValue(parameter, value).data()))
      if (answers.some((answer) => !isSameJson(answer, answers[0]))) return
      found.push(...answers)
    }
    if (found.every(isNothing)) asked.probe.skip('none of some accounts has any of it')
    asked.probe.assert(false, `${asked.operation.id} heeds ${parameter.name}`, found)
  }

/** A value keeps the rows of it, all of them and no others; without it there are more. */
export const selects =
  (pick: Pick, unseen: Values = someCoins): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const { asked: full, rows } = await variedRows(asked, parameter, pick)
    if (rows.length === 0) asked.probe.skip(`there are no rows to choose from`)
    const counts = new Map<string, number>()
    for (const row of rows) {
      const value = String(picked(pick, row))
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const known = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
    const others = (await valuesOf(unseen, asked)).map(String).filter((one) => !counts.has(one))
    for (const value of [...known, ...others].slice(0, 2))
      await retryUntilHeld(asked.probe, async () => {
        const kept = (await full.withValue(parameter, value).objects()) as JsonObject[]
        const wrong = kept.find((row) => !isSame(picked(pick, row), value))
        const question = nameOf(asked, parameter, value)
        asked.probe.assert(!wrong, `${question} has rows of it only`, wrong)
        const least = recordsIn(await full.withValue(parameter, undefined).data()).filter((row) =>
          isSame(picked(pick, row), value),
        ).length
        return kept.length >= least ? null : `${question} has all ${least} rows of it`
      })
  }

/** The rows of the account that has most different values, where there is a choice of accounts. */
async function variedRows(asked: AskedOperation, parameter: Parameter, pick: Pick) {
  const address = parametersOf(asked.operation).find(
    ({ place, name }) => place === 'path' && name === 'address',
  )
  const traders = address ? (await busyTraders(asked.probe)).slice(0, SUBJECTS_MAX) : []
  let best = { asked, rows: await asked.withValue(parameter, undefined).objects() }
  for (const trader of traders) {
    if (variety(best.rows, pick) > 1) break
    const one = address ? asked.withValue(address, trader) : asked
    const rows = await one.withValue(parameter, undefined).objects()
    if (variety(rows, pick) > variety(best.rows, pick)) best = { asked: one, rows }
  }
  return best
}

const variety = (rows: readonly JsonObject[], pick: Pick) =>
  new Set(rows.map((row) => picked(pick, row))).size

/** Accounts that are looked at for one that shows a difference. */
const SUBJECTS_MAX = 5

/** What a value counts is a part of what is counted without it. */
export const part =
  (measure: (data: unknown) => number, values: Values): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const all = measure(await asked.withValue(parameter, undefined).data())
      const parts: number[] = []
      for (const value of await valuesOf(values, asked))
        parts.push(measure(await asked.withValue(parameter, value).data()))
      if (all === 0) asked.probe.skip('the target has nothing of which a part could be told')
      const sum = parts.reduce((total, one) => total + one, 0)
      const { name } = parameter
      if (sum > all * 1.001) return `the parts by ${name} are at most ${all} together: ${parts}`
      const isRead = parts.some((one) => one < all * 0.9999)
      return isRead ? null : `${asked.operation.id} tells a part only with ${name}`
    })

/** On, a row has a list in the field; off or left out it has none. */
export const switches =
  (field: string, more: JsonObject = {}): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    for (const value of [true, false, undefined]) {
      const data = await asked.with({ body: more }).withValue(parameter, value).data()
      const rows = recordsIn(data).filter(isJsonObject)
      if (rows.length === 0) asked.probe.skip('there are no rows')
      for (const row of rows)
        asked.probe.assert(
          Array.isArray(row[field]) === (value === true),
          `${nameOf(asked, parameter, value)} ${value ? 'has' : 'has no'} ${field}`,
          row,
        )
    }
  }

// Parameters by which a list is read further, or in another order.

/** Two pages after one another are the page of twice their size. */
export const pages =
  (pick: Pick): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const size = pageSizeOf(asked) as Parameter
      const page = async (number: number, length: number) => {
        const data = await asked.withValue(size, length).withValue(parameter, number).data()
        return recordsIn(data).map((row) => String(picked(pick, row)))
      }
      const [first, second] = [await page(1, SIZE), await page(2, SIZE)]
      if (second.length === 0)
        asked.probe.skip(`not judged: the target has only ${first.length} rows, one page`)
      const both = await page(1, 2 * SIZE)
      const { id } = asked.operation
      if (second.some((one) => first.includes(one))) return `no row of ${id} stands on two pages`
      return [...first, ...second].join() === both.join()
        ? null
        : `page 2 of ${id} goes on where page 1 ends`
    })

const SIZE = 5

/** The parameter that says how many rows are given. */
const pageSizeOf = ({ operation }: AskedOperation): Parameter | undefined =>
  parametersOf(operation).find(({ schema }) => meaningOf(schema) === 'pageSize')

/** Rows that are put in order. */
const ROWS = 25

/** Rows come by the column that a value means, the greatest first, and not by every one alike. */
export const ordersBy =
  (columns: Readonly<Record<string, Pick>>): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const orders: string[] = []
    const size = pageSizeOf(asked)
    // A few rows may be in order by another column, too.
    const many = size ? asked.withValue(size, ROWS) : asked
    for (const [value, pick] of Object.entries(columns)) {
      const rows = await many.withValue(parameter, value).objects()
      const values = rows.map((row) => numberOf(picked(pick, row)))
      const question = nameOf(asked, parameter, value)
      asked.probe.assert(isNonIncreasing(values), `${question} has the greatest first`, values)
      orders.push(JSON.stringify(rows.map(({ address, user, symbol }) => [address, user, symbol])))
    }
    if (orders.every((order) => order === '[]')) asked.probe.skip('there are no rows')
    const found = orders.map((order) => JSON.parse(order)[0])
    asked.probe.assert(
      new Set(orders).size > 1,
      `${parameter.name} changes what comes first`,
      found,
    )
  }

/** Rows come by a column that is named, up or down. */
export const sorts =
  (fields: readonly string[]): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    for (const field of fields)
      for (const dir of ['desc', 'asc'] as const) {
        const with_ = asked.with({ body: { selects: [field] } })
        const rows = await with_.withValue(parameter, { field, dir }).objects()
        if (rows.length < 2) asked.probe.skip('there are no two rows to put in order')
        const values = rows.map((row: JsonObject) => numberOf(row[field]))
        const isSorted = dir === 'desc' ? isNonIncreasing(values) : isNonDecreasing(values)
        asked.probe.assert(isSorted, `${asked.operation.id} is sorted by ${field} ${dir}`, values)
      }
  }

function numberOf(value: unknown): number {
  const count = Number(value ?? 0)
  return Number.isNaN(count) ? Date.parse(String(value)) : count
}

// Parameters of language and of currency.

/** Texts are in the language that is asked for, by their script. */
export const languages =
  (values: { cn: string; en: string; tc?: string }, pick: Pick): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const texts = async (value: string) => {
      const data = await asked.withValue(parameter, value).data()
      const rows = rowsIn(data).filter(isJsonObject)
      const found = (rows.length > 0 ? rows : [data as JsonObject]).map((row) =>
        String(picked(pick, row) ?? ''),
      )
      if (found.join('') === '') asked.probe.skip('there are no texts')
      return found
    }
    const english = await texts(values.en)
    const wrong = english.find((text) => HAN.test(text))
    asked.probe.assert(
      wrong === undefined,
      `${nameOf(asked, parameter, values.en)} is English`,
      wrong,
    )
    const chinese = await texts(values.cn)
    const isChinese = (found: string[]) => found.some((text) => HAN.test(text))
    asked.probe.assert(
      isChinese(chinese),
      `${nameOf(asked, parameter, values.cn)} is Chinese`,
      chinese,
    )
    if (values.tc === undefined) return
    const traditional = await texts(values.tc)
    const question = nameOf(asked, parameter, values.tc)
    asked.probe.assert(isChinese(traditional), `${question} is Chinese`, traditional)
    asked.probe.assert(
      !traditional.some((text) => SIMPLIFIED.test(text)),
      `${question} has no simplified characters`,
      traditional,
    )
    asked.probe.assert(
      chinese.some((text) => SIMPLIFIED.test(text)),
      `${nameOf(asked, parameter, values.cn)} is in simplified characters`,
      chinese,
    )
  }

const HAN = /\p{Script=Han}/u

/** Frequent characters that are written so in simplified Chinese only. */
const SIMPLIFIED = /[过记开关测涨资亿东间会这们对发业报价样现总赚说将网额净从]/

/** Amounts in yuan are several times those in dollars, row by row. */
export const currencies =
  (pick: Pick, key: Pick): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const amounts = async (value: string) => {
        const rows = await asked.withValue(parameter, value).objects()
        return new Map(rows.map((row) => [String(picked(key, row)), Number(picked(pick, row))]))
      }
      const [dollars, yuan] = [await amounts('usd'), await amounts('cny')]
      const common = [...dollars].filter(([name, amount]) => amount !== 0 && yuan.has(name))
      if (common.length === 0) asked.probe.skip('there are no amounts in both currencies')
      const wrong = common.find(([name, amount]) => !isSeveral((yuan.get(name) ?? 0) / amount))
      return wrong ? `${wrong[0]} in cny is several times ${wrong[1]}` : null
    })

/** The contract names no rate; that of decades lies well within. */
const isSeveral = (ratio: number) => ratio > 2 && ratio < 20

/** Words in a list of every row are in the language that is asked for. */
export const languagesOfLists =
  (field: string, body: JsonObject): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    languages({ cn: 'cn', en: 'en' }, (row) =>
      Array.isArray(row[field]) ? row[field].join() : '',
    )(asked.with({ body }), parameter)
