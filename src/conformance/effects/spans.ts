/** Parameters of time: the period, and the interval of a row. */

import type { Parameter } from '../../contract/parameters.ts'
import { instantMs, timeOf } from '../declared-violations.ts'
import { rowsIn, type TestedOperation } from '../derived/tested-operation.ts'
import { assertAtLeast, isJsonObject, retryUntilHeld } from '../responses.ts'
import { type Effect, nameOf, type Pick, picked } from './effect.ts'

/** A value, and its duration, ms. */
export type Span = readonly [value: unknown, ms: number]

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** `15m` as sent, and in ms. */
export function span(text: string): Span {
  const [, count = '0', unit = 'm'] = /^(\d+)([smhdw])$/.exec(text) ?? []
  const units: Record<string, number> = { s: 1000, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
  return [text, Number(count) * (units[unit] ?? 0)]
}

/** A number of days as sent, and in ms. */
export const days = (count: number): Span => [count, count * DAY]

const when =
  (pick: Pick | undefined) =>
  (row: unknown): number | null =>
    pick === undefined || !isJsonObject(row) ? timeOf(row) : instantMs(picked(pick, row))

/** The times of rows, ms, from the first. */
const timesOf = (rows: readonly unknown[], pick?: Pick) =>
  rows
    .map(when(pick))
    .filter((time) => time !== null)
    .sort((a, b) => a - b)

/**
 * Rows, or the rows under a name in the first one, lie within the span; a longer one has older
 * rows.
 */
export const spans =
  (values: readonly Span[], pick?: Pick, under?: string): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const widths: number[] = []
    for (const [value, ms] of values) {
      const rows = await requested.withValue(parameter, value).rows()
      const [first] = rows
      const inner = under !== undefined && isJsonObject(first) ? rowsIn(first[under]) : rows
      const times = timesOf(inner, pick)
      const width = (times.at(-1) ?? 0) - (times[0] ?? 0)
      // Rows at whole steps: one may begin before the span does.
      const step = times.length > 2 ? Math.max(...gaps(times)) : 0
      const most = ms + Math.min(step, ms / 2) + MINUTE
      const question = nameOf(requested, parameter, value)
      requested.probe.assert(
        width <= most,
        `${question} has rows of ${ms / 1000} s only`,
        width / 1000,
      )
      widths.push(width)
    }
    const [first = 0, last = 0] = [widths[0], widths.at(-1)]
    if (last === 0) requested.probe.skip('the target has no rows over time')
    const least = values[0]?.[0]
    requested.probe.assert(
      last > first,
      `${requested.operation.id} has more than ${least} by ${values.at(-1)?.[0]}`,
      { expected: `more than ${first / 1000} s`, found: `${last / 1000} s` },
    )
  }

const gaps = (times: readonly number[]) =>
  times.slice(1).map((time, at) => time - (times[at] as number))

/** Longer spans have more: values from the shortest on. */
export const widens =
  (measure: (data: unknown) => number, values: readonly unknown[]): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    retryUntilHeld(requested.probe, async () => {
      const found: number[] = []
      for (const value of values)
        found.push(measure(await requested.withValue(parameter, value).data()))
      const [first = 0, last = 0] = [found[0], found.at(-1)]
      if (last === 0) requested.probe.skip('the target has no data for the longest span')
      const text = `${requested.operation.id} with ${parameter.name}=${values.join(', ')}: ${found}`
      if (found.some((one, at) => at > 0 && one < (found[at - 1] as number) * 0.999))
        return `${text} grows with the span`
      return last > first ? null : `${text} differs by the span`
    })

/** Rows are a value's step apart: exactly, or by multiples where some are left out. */
export const steps =
  (
    values: readonly Span[],
    { isDense = true, pick }: { isDense?: boolean; pick?: Pick } = {},
  ): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const least: number[] = []
    for (const [value, ms] of values) {
      const times = timesOf(await requested.withValue(parameter, value).rows(), pick)
      const flaw = stepFlaw(times, ms, isDense)
      const question = nameOf(requested, parameter, value)
      requested.probe.assert(flaw === null, `${question}: ${flaw}`, times.slice(0, 10))
      if (innerGaps(times).length > 0) least.push(Math.min(...innerGaps(times)))
    }
    if (least.length === 0) requested.probe.skip('the target has no rows of several times')
    const [[shortest] = [''], [, longestMs] = ['', 0]] = [values[0], values.at(-1)]
    if (least.length < values.length || values.length < 2) return
    requested.probe.assert(
      (least[0] as number) < longestMs,
      `${nameOf(requested, parameter, shortest)} has rows closer than ${longestMs / 1000} s`,
      { expected: `less than ${longestMs / 1000} s`, found: `${(least[0] as number) / 1000} s` },
    )
  }

/**
 * The newest row may be the present instead of a whole step, and the first the start of the
 * history.
 */
const innerGaps = (times: readonly number[]) =>
  gaps(times)
    .filter((gap) => gap > 0)
    .slice(1, -1)

/** Number of rows that do not lie on every second step by chance. */
const MANY = 30

function stepFlaw(times: readonly number[], ms: number, isDense: boolean): string | null {
  const inner = innerGaps(times)
  const wrong = inner.find((gap) => gap % ms !== 0)
  if (wrong !== undefined)
    return `rows are multiples of ${ms / 1000} s apart, not ${wrong / 1000} s`
  if (times.length >= MANY && times.every((time) => time % (2 * ms) === 0))
    return `of ${times.length} rows none begins between whole ${(2 * ms) / 1000} s`
  if (!isDense || inner.length === 0) return null
  const least = Math.min(...inner)
  return least === ms ? null : `rows are ${ms / 1000} s apart, not ${least / 1000} s`
}

// Parameters of time: start and end.

/** Rows do not begin before the requested start or after the end, and begin there. */
export const bounded =
  (edge: 'start' | 'end', pick?: Pick): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const usual = await usualTimes(requested, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const times = await timesBounded(requested, parameter, middle, pick)
    const isOut = (time: number) => (edge === 'start' ? time < middle : time > middle)
    const question = nameOf(requested, parameter, middle)
    const wrong = times.find(isOut)
    requested.probe.assert(
      wrong === undefined,
      `${question} has no row of ${wrong}`,
      times.slice(0, 10),
    )
    assertAtLeast(requested.probe, times.length, 1, `${question} has the row that begins then`)
    // A few rows may all have been displaced by new ones.
    if (usual.length < ENOUGH) return
    const inside = usual.filter((time) => time !== middle && !isOut(time))
    const next = edge === 'start' ? inside[0] : inside.at(-1)
    const isThere = next === undefined || times.some((time) => !beyond(edge, time, next))
    requested.probe.assert(isThere, `${question} has the row of ${next}`, times.slice(0, 3))
  }

/** Number of rows that are not all displaced between two requests. */
const ENOUGH = 10

/** Among permanent rows, one just inside of the requested bound is present. */
export const keepsInside =
  (edge: 'start' | 'end', pick?: Pick): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const usual = await usualTimes(requested, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const atMs = middle + (edge === 'start' ? -1 : 1)
    const times = await timesBounded(requested, parameter, atMs, pick)
    const question = nameOf(requested, parameter, atMs)
    requested.probe.assert(times.includes(middle), `${question} has the row of ${middle}`, times)
  }

const beyond = (edge: 'start' | 'end', time: number, other: number): boolean =>
  edge === 'start' ? time > other : time < other

/** Rows lie on one side of the requested instant, whichever (open). */
export const cursor =
  (pick?: Pick): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const usual = await usualTimes(requested, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const times = await timesBounded(requested, parameter, middle, pick)
    const isOneSided =
      times.every((time) => time <= middle) || times.every((time) => time >= middle)
    const question = nameOf(requested, parameter, middle)
    requested.probe.assert(isOneSided, `the rows of ${question} lie on one side of it`, times)
    assertAtLeast(requested.probe, times.length, 1, `${question} has rows`)
  }

/**
 * Times of the response without the parameter, or with the example's value where it is required.
 */
async function usualTimes(
  requested: TestedOperation,
  parameter: Parameter,
  pick: Pick | undefined,
): Promise<number[]> {
  const one = parameter.required ? requested : requested.withValue(parameter, undefined)
  const usual = timesOf(await one.rows(), pick)
  if (new Set(usual).size < 3)
    requested.probe.skip('the target has no three rows of different times')
  return usual
}

async function timesBounded(
  requested: TestedOperation,
  parameter: Parameter,
  atMs: number,
  pick: Pick | undefined,
): Promise<number[]> {
  const value = parameter.schema['x-time'] === 's' ? Math.floor(atMs / 1000) : atMs
  const usual = parameter.required ? requested : requested.withValue(parameter, undefined)
  const data = await requested.withValue(parameter, value).data(usual)
  return timesOf(rowsIn(data), pick)
}
