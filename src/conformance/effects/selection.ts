/** Parameters that select the subject of a response. */

import { meaningOf } from '../../contract/meaning.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import { rowsIn, type TestedOperation } from '../derived/tested-operation.ts'
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

/** Every row of a response, or the record itself, names the requested value. */
export const names =
  (pick: Pick, values: Values): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    let seen = 0
    for (const value of await valuesOf(values, requested)) {
      const rows = recordsIn(await requested.withValue(parameter, value).data())
      const wanted = Array.isArray(value) ? value : [value]
      for (const row of rows) {
        const found = picked(pick, row)
        const isMeant = wanted.some((one) => isSame(one, found))
        requested.probe.assert(
          isMeant,
          `${nameOf(requested, parameter, value)} is of ${found}`,
          row,
        )
      }
      seen += rows.length
    }
    if (seen === 0)
      requested.probe.skip(`the target has nothing to choose from by ${parameter.name}`)
  }

/** Not all values get the same response. */
export const differs =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const found: unknown[] = []
    const sent = await valuesOf(values, requested)
    if (sent.length < 2) requested.probe.skip(`the target has one value only for ${parameter.name}`)
    for (const value of sent) found.push(part(await requested.withValue(parameter, value).data()))
    if (found.every(isNothing)) requested.probe.skip('the target has no data for any of these')
    const [first, ...others] = found
    requested.probe.assert(
      others.some((other) => !isSameJson(other, first)),
      `${requested.operation.id} answers ${parameter.name}=${sent.join(' and ')} otherwise`,
      first,
    )
  }

/** No two values get the same response, among non-empty ones. */
export const apart =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const found = new Map<string, unknown>()
    for (const value of await valuesOf(values, requested)) {
      const selected = part(await requested.withValue(parameter, value).data())
      if (isNothing(selected)) continue
      const text = JSON.stringify(selected)
      const other = found.get(text)
      const question = nameOf(requested, parameter, value)
      requested.probe.assert(
        !found.has(text),
        `${question} is answered otherwise than ${other}`,
        selected,
      )
      found.set(text, value)
    }
    if (found.size < 2) requested.probe.skip('the target has no data for two values')
  }

/** Both checks in sequence. */
export const both =
  (...effects: readonly Effect[]): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    for (const effect of effects) await effect(requested, parameter)
  }

/** The same for at least one account: one may have the same activity in every span. */
export const differsForSome =
  (values: Values, part: (data: unknown) => unknown = (data) => data): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const address = parametersOf(requested.operation).find(({ name }) => name === 'address')
    const found: unknown[] = []
    for (const trader of (await busyTraders(requested.probe)).slice(0, SUBJECTS_MAX)) {
      const one = address ? requested.withValue(address, trader) : requested
      const answers: unknown[] = []
      for (const value of await valuesOf(values, requested))
        answers.push(part(await one.withValue(parameter, value).data()))
      if (answers.some((answer) => !isSameJson(answer, answers[0]))) return
      found.push(...answers)
    }
    if (found.every(isNothing)) requested.probe.skip('none of some accounts has any')
    requested.probe.assert(false, `${requested.operation.id} heeds ${parameter.name}`, found)
  }

/** A value selects its rows, all of them and no others; without it there are more. */
export const selects =
  (pick: Pick, unseen: Values = someCoins): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const { requested: full, rows } = await variedRows(requested, parameter, pick)
    if (rows.length === 0) requested.probe.skip(`there are no rows to choose from`)
    const counts = new Map<string, number>()
    for (const row of rows) {
      const value = String(picked(pick, row))
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const known = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
    const others = (await valuesOf(unseen, requested)).map(String).filter((one) => !counts.has(one))
    for (const value of [...known, ...others].slice(0, 2))
      await retryUntilHeld(requested.probe, async () => {
        const kept = (await full.withValue(parameter, value).objects()) as JsonObject[]
        const wrong = kept.find((row) => !isSame(picked(pick, row), value))
        const question = nameOf(requested, parameter, value)
        requested.probe.assert(!wrong, `${question} has rows of it only`, wrong)
        const least = recordsIn(await full.withValue(parameter, undefined).data()).filter((row) =>
          isSame(picked(pick, row), value),
        ).length
        return kept.length >= least ? null : `${question} has all ${least} rows of it`
      })
  }

/** The rows of the account with the most different values, where accounts can be chosen. */
async function variedRows(requested: TestedOperation, parameter: Parameter, pick: Pick) {
  const address = parametersOf(requested.operation).find(
    ({ place, name }) => place === 'path' && name === 'address',
  )
  const traders = address ? (await busyTraders(requested.probe)).slice(0, SUBJECTS_MAX) : []
  let best = { requested, rows: await requested.withValue(parameter, undefined).objects() }
  for (const trader of traders) {
    if (variety(best.rows, pick) > 1) break
    const one = address ? requested.withValue(address, trader) : requested
    const rows = await one.withValue(parameter, undefined).objects()
    if (variety(rows, pick) > variety(best.rows, pick)) best = { requested: one, rows }
  }
  return best
}

const variety = (rows: readonly JsonObject[], pick: Pick) =>
  new Set(rows.map((row) => picked(pick, row))).size

/** Maximum number of accounts searched for a difference. */
const SUBJECTS_MAX = 5

/** The total of a value is a part of the total without it. */
export const part =
  (measure: (data: unknown) => number, values: Values): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    retryUntilHeld(requested.probe, async () => {
      const all = measure(await requested.withValue(parameter, undefined).data())
      const parts: number[] = []
      for (const value of await valuesOf(values, requested))
        parts.push(measure(await requested.withValue(parameter, value).data()))
      if (all === 0) requested.probe.skip('the target has no data with parts')
      const sum = parts.reduce((total, one) => total + one, 0)
      const { name } = parameter
      if (sum > all * 1.001) return `the parts by ${name} are at most ${all} together: ${parts}`
      const isRead = parts.some((one) => one < all * 0.9999)
      return isRead ? null : `${requested.operation.id} shows a part only with ${name}`
    })

/** When on, a row has a list in the field; when off or left out it has none. */
export const switches =
  (field: string, more: JsonObject = {}): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    for (const value of [true, false, undefined]) {
      const data = await requested.with({ body: more }).withValue(parameter, value).data()
      const rows = recordsIn(data).filter(isJsonObject)
      if (rows.length === 0) requested.probe.skip('there are no rows')
      for (const row of rows)
        requested.probe.assert(
          Array.isArray(row[field]) === (value === true),
          `${nameOf(requested, parameter, value)} ${value ? 'has' : 'has no'} ${field}`,
          row,
        )
    }
  }

// Parameters for paging and sorting.

/** Two successive pages equal the page of twice their size. */
export const pages =
  (pick: Pick): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    retryUntilHeld(requested.probe, async () => {
      const size = pageSizeOf(requested) as Parameter
      const page = async (number: number, length: number) => {
        const data = await requested.withValue(size, length).withValue(parameter, number).data()
        return recordsIn(data).map((row) => String(picked(pick, row)))
      }
      const [first, second] = [await page(1, SIZE), await page(2, SIZE)]
      if (second.length === 0)
        requested.probe.skip(`not judged: the target has only ${first.length} rows, one page`)
      const both = await page(1, 2 * SIZE)
      const { id } = requested.operation
      if (second.some((one) => first.includes(one))) return `no row of ${id} stands on two pages`
      return [...first, ...second].join() === both.join()
        ? null
        : `page 2 of ${id} goes on where page 1 ends`
    })

const SIZE = 5

/** The parameter of the page size. */
const pageSizeOf = ({ operation }: TestedOperation): Parameter | undefined =>
  parametersOf(operation).find(({ schema }) => meaningOf(schema) === 'pageSize')

/** Number of sorted rows. */
const ROWS = 25

/** Rows are sorted by the value's column, descending, and not equally for all values. */
export const ordersBy =
  (columns: Readonly<Record<string, Pick>>): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const orders: string[] = []
    const size = pageSizeOf(requested)
    // A few rows may be sorted by another column, too.
    const many = size ? requested.withValue(size, ROWS) : requested
    for (const [value, pick] of Object.entries(columns)) {
      const rows = await many.withValue(parameter, value).objects()
      const values = rows.map((row) => numberOf(picked(pick, row)))
      const question = nameOf(requested, parameter, value)
      requested.probe.assert(isNonIncreasing(values), `${question} has the greatest first`, values)
      orders.push(JSON.stringify(rows.map(({ address, user, symbol }) => [address, user, symbol])))
    }
    if (orders.every((order) => order === '[]')) requested.probe.skip('there are no rows')
    const found = orders.map((order) => JSON.parse(order)[0])
    requested.probe.assert(
      new Set(orders).size > 1,
      `${parameter.name} changes what comes first`,
      found,
    )
  }

/** Rows are sorted by a named column, in either direction. */
export const sorts =
  (fields: readonly string[]): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    for (const field of fields)
      for (const dir of ['desc', 'asc'] as const) {
        const with_ = requested.with({ body: { selects: [field] } })
        const rows = await with_.withValue(parameter, { field, dir }).objects()
        if (rows.length < 2) requested.probe.skip('there are no two rows to put in order')
        const values = rows.map((row: JsonObject) => numberOf(row[field]))
        const isSorted = dir === 'desc' ? isNonIncreasing(values) : isNonDecreasing(values)
        requested.probe.assert(
          isSorted,
          `${requested.operation.id} is sorted by ${field} ${dir}`,
          values,
        )
      }
  }

function numberOf(value: unknown): number {
  const count = Number(value ?? 0)
  return Number.isNaN(count) ? Date.parse(String(value)) : count
}

// Parameters of language and of currency.

/** Texts are in the requested language, by their script. */
export const languages =
  (values: { cn: string; en: string; tc?: string }, pick: Pick): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const texts = async (value: string) => {
      const data = await requested.withValue(parameter, value).data()
      const rows = rowsIn(data).filter(isJsonObject)
      const found = (rows.length > 0 ? rows : [data as JsonObject]).map((row) =>
        String(picked(pick, row) ?? ''),
      )
      if (found.join('') === '') requested.probe.skip('there are no texts')
      return found
    }
    const english = await texts(values.en)
    const wrong = english.find((text) => HAN.test(text))
    requested.probe.assert(
      wrong === undefined,
      `${nameOf(requested, parameter, values.en)} is English`,
      wrong,
    )
    const chinese = await texts(values.cn)
    const isChinese = (found: string[]) => found.some((text) => HAN.test(text))
    requested.probe.assert(
      isChinese(chinese),
      `${nameOf(requested, parameter, values.cn)} is Chinese`,
      chinese,
    )
    if (values.tc === undefined) return
    const traditional = await texts(values.tc)
    const question = nameOf(requested, parameter, values.tc)
    requested.probe.assert(isChinese(traditional), `${question} is Chinese`, traditional)
    requested.probe.assert(
      !traditional.some((text) => SIMPLIFIED.test(text)),
      `${question} has no simplified characters`,
      traditional,
    )
    requested.probe.assert(
      chinese.some((text) => SIMPLIFIED.test(text)),
      `${nameOf(requested, parameter, values.cn)} is in simplified characters`,
      chinese,
    )
  }

const HAN = /\p{Script=Han}/u

/** Frequent characters that exist in simplified Chinese only. */
const SIMPLIFIED = /[过记开关测涨资亿东间会这们对发业报价样现总赚说将网额净从]/

/** Amounts in yuan are several times those in dollars, row by row. */
export const currencies =
  (pick: Pick, key: Pick): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    retryUntilHeld(requested.probe, async () => {
      const amounts = async (value: string) => {
        const rows = await requested.withValue(parameter, value).objects()
        return new Map(rows.map((row) => [String(picked(key, row)), Number(picked(pick, row))]))
      }
      const [dollars, yuan] = [await amounts('usd'), await amounts('cny')]
      const common = [...dollars].filter(([name, amount]) => amount !== 0 && yuan.has(name))
      if (common.length === 0) requested.probe.skip('there are no amounts in both currencies')
      const wrong = common.find(([name, amount]) => !isSeveral((yuan.get(name) ?? 0) / amount))
      return wrong ? `${wrong[0]} in cny is several times ${wrong[1]}` : null
    })

/** The contract names no rate; that of decades lies well within. */
const isSeveral = (ratio: number) => ratio > 2 && ratio < 20

/** Words in each row's list are in the requested language. */
export const languagesOfLists =
  (field: string, body: JsonObject): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    languages({ cn: 'cn', en: 'en' }, (row) =>
      Array.isArray(row[field]) ? row[field].join() : '',
    )(requested.with({ body }), parameter)
