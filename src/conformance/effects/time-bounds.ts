/** Parameters of time: from when, and until when. */
import type { Parameter } from '../../contract/parameters.ts'
import { assertAtLeast } from '../assertions.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { rowsIn } from '../derived/asked-operation.ts'
import { type Effect, nameOf, type Pick } from './effect.ts'
import { timesOf } from './spans.ts'

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
