/** Parameters by which a list is read further, or in another order. */

import { meaningOf } from '../../contract/meaning.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import type { JsonObject } from '../parsed-json.ts'
import { retryUntilHeld } from '../response-reading.ts'
import { isNonDecreasing, isNonIncreasing } from '../value-checks.ts'
import { type Effect, nameOf, type Pick, picked, recordsIn } from './effect.ts'

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
