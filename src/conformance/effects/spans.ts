/** Parameters of time: how far back, and how much a row covers. */

import type { Parameter } from '../../contract/parameters.ts'
import { instantMs, timeOf } from '../declared-flaws.ts'
import { type AskedOperation, rowsIn } from '../derived/asked-operation.ts'
import { assertAtLeast, isJsonObject, retryUntilHeld } from '../responses.ts'
import { type Effect, nameOf, type Pick, picked } from './effect.ts'

/** A value, and how much time it means, ms. */
export type Span = readonly [value: unknown, ms: number]

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** `15m` as it is sent, and in ms. */
export function span(text: string): Span {
  const [, count = '0', unit = 'm'] = /^(\d+)([smhdw])$/.exec(text) ?? []
  const units: Record<string, number> = { s: 1000, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
  return [text, Number(count) * (units[unit] ?? 0)]
}

/** A number of days as it is sent, and in ms. */
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
 * Rows, or the rows under a name in the first one, lie within the span; in a longer one lie older
 * ones.
 */
export const spans =
  (values: readonly Span[], pick?: Pick, under?: string): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const widths: number[] = []
    for (const [value, ms] of values) {
      const rows = await asked.withValue(parameter, value).rows()
      const [first] = rows
      const inner = under !== undefined && isJsonObject(first) ? rowsIn(first[under]) : rows
      const times = timesOf(inner, pick)
      const width = (times.at(-1) ?? 0) - (times[0] ?? 0)
      // Rows at whole steps: one may begin before the span does.
      const step = times.length > 2 ? Math.max(...gaps(times)) : 0
      const most = ms + Math.min(step, ms / 2) + MINUTE
      const question = nameOf(asked, parameter, value)
      asked.probe.assert(width <= most, `${question} has rows of ${ms / 1000} s only`, width / 1000)
      widths.push(width)
    }
    const [first = 0, last = 0] = [widths[0], widths.at(-1)]
    if (last === 0) asked.probe.skip('the target has no rows over time')
    const least = values[0]?.[0]
    asked.probe.assert(
      last > first,
      `${asked.operation.id} has more than ${least} by ${values.at(-1)?.[0]}`,
      { expected: `more than ${first / 1000} s`, found: `${last / 1000} s` },
    )
  }

const gaps = (times: readonly number[]) =>
  times.slice(1).map((time, at) => time - (times[at] as number))

/** The longer the span, the more there is: values from the shortest on. */
export const widens =
  (measure: (data: unknown) => number, values: readonly unknown[]): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    retryUntilHeld(asked.probe, async () => {
      const found: number[] = []
      for (const value of values)
        found.push(measure(await asked.withValue(parameter, value).data()))
      const [first = 0, last = 0] = [found[0], found.at(-1)]
      if (last === 0) asked.probe.skip('the target has nothing of the longest span')
      const text = `${asked.operation.id} with ${parameter.name}=${values.join(', ')}: ${found}`
      if (found.some((one, at) => at > 0 && one < (found[at - 1] as number) * 0.999))
        return `${text} grows with the span`
      return last > first ? null : `${text} differs by the span`
    })

/** Rows begin as far apart as a value says: exactly, or by multiples where some are left out. */
export const steps =
  (
    values: readonly Span[],
    { isDense = true, pick }: { isDense?: boolean; pick?: Pick } = {},
  ): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const least: number[] = []
    for (const [value, ms] of values) {
      const times = timesOf(await asked.withValue(parameter, value).rows(), pick)
      const flaw = stepFlaw(times, ms, isDense)
      const question = nameOf(asked, parameter, value)
      asked.probe.assert(flaw === null, `${question}: ${flaw}`, times.slice(0, 10))
      if (innerGaps(times).length > 0) least.push(Math.min(...innerGaps(times)))
    }
    if (least.length === 0) asked.probe.skip('the target has no rows of several times')
    const [[shortest] = [''], [, longestMs] = ['', 0]] = [values[0], values.at(-1)]
    if (least.length < values.length || values.length < 2) return
    asked.probe.assert(
      (least[0] as number) < longestMs,
      `${nameOf(asked, parameter, shortest)} has rows closer than ${longestMs / 1000} s`,
      { expected: `less than ${longestMs / 1000} s`, found: `${(least[0] as number) / 1000} s` },
    )
  }

/**
 * The newest row may be the present in place of a whole step, and the first where it all began.
 */
const innerGaps = (times: readonly number[]) =>
  gaps(times)
    .filter((gap) => gap > 0)
    .slice(1, -1)

/** So many rows do not lie on every second step by chance. */
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

// Parameters of time: from when, and until when.

/** Rows do not begin before the start, or after the end, that is asked for, and begin there. */
export const bounded =
  (edge: 'start' | 'end', pick?: Pick): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const usual = await usualTimes(asked, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const times = await timesBounded(asked, parameter, middle, pick)
    const isOut = (time: number) => (edge === 'start' ? time < middle : time > middle)
    const question = nameOf(asked, parameter, middle)
    const wrong = times.find(isOut)
    asked.probe.assert(
      wrong === undefined,
      `${question} has no row of ${wrong}`,
      times.slice(0, 10),
    )
    assertAtLeast(asked.probe, times.length, 1, `${question} has the row that begins then`)
    // Of few rows all may have made room for others.
    if (usual.length < ENOUGH) return
    const inside = usual.filter((time) => time !== middle && !isOut(time))
    const next = edge === 'start' ? inside[0] : inside.at(-1)
    const isThere = next === undefined || times.some((time) => !beyond(edge, time, next))
    asked.probe.assert(isThere, `${question} has the row of ${next}`, times.slice(0, 3))
  }

/** So many rows do not all make room between two looks. */
const ENOUGH = 10

/** Of rows that stay, one that lies just inside of what is asked for is there. */
export const keepsInside =
  (edge: 'start' | 'end', pick?: Pick): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const usual = await usualTimes(asked, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const atMs = middle + (edge === 'start' ? -1 : 1)
    const times = await timesBounded(asked, parameter, atMs, pick)
    const question = nameOf(asked, parameter, atMs)
    asked.probe.assert(times.includes(middle), `${question} has the row of ${middle}`, times)
  }

const beyond = (edge: 'start' | 'end', time: number, other: number): boolean =>
  edge === 'start' ? time > other : time < other

/** Rows lie on one side of the instant that is asked for, whichever that is (open). */
export const cursor =
  (pick?: Pick): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const usual = await usualTimes(asked, parameter, pick)
    const middle = usual[Math.floor(usual.length / 2)] as number
    const times = await timesBounded(asked, parameter, middle, pick)
    const isOneSided =
      times.every((time) => time <= middle) || times.every((time) => time >= middle)
    const question = nameOf(asked, parameter, middle)
    asked.probe.assert(isOneSided, `the rows of ${question} lie on one side of it`, times)
    assertAtLeast(asked.probe, times.length, 1, `${question} has rows`)
  }

/** The times of what is answered without the parameter, or as the example has it where it must. */
async function usualTimes(
  asked: AskedOperation,
  parameter: Parameter,
  pick: Pick | undefined,
): Promise<number[]> {
  const one = parameter.required ? asked : asked.withValue(parameter, undefined)
  const usual = timesOf(await one.rows(), pick)
  if (new Set(usual).size < 3) asked.probe.skip('the target has no three rows of different times')
  return usual
}

async function timesBounded(
  asked: AskedOperation,
  parameter: Parameter,
  atMs: number,
  pick: Pick | undefined,
): Promise<number[]> {
  const value = parameter.schema['x-time'] === 's' ? Math.floor(atMs / 1000) : atMs
  const usual = parameter.required ? asked : asked.withValue(parameter, undefined)
  const data = await asked.withValue(parameter, value).data(usual)
  return timesOf(rowsIn(data), pick)
}
