/** Reading answers: what a case needs before it can judge, each step said in words. */
import type { Asked, Exchange, Probe } from './probe.ts'

export type Row = Record<string, unknown>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of an answer as an object. */
export function bodyOf(probe: Probe, exchange: Exchange): Row {
  probe.hold(isRow(exchange.json), `${exchange.path} answers a JSON object`)
  return exchange.json
}

/** Whether an answer is one of success in any of the three envelopes. */
export function isSuccess({ status, json }: Exchange): boolean {
  if (status !== 200 || !isRow(json)) return false
  return json.success === true || json.code === '0' || json.code === '200' || json.code === 0
}

/** The `data` of a successful answer. */
export async function dataOf(probe: Probe, asked: Asked): Promise<unknown> {
  const exchange = await probe.ask(asked)
  probe.hold(isSuccess(exchange), `${asked.path} is answered with success`)
  return bodyOf(probe, exchange).data
}

/** The `data` of a successful answer, an object. */
export async function rowOf(probe: Probe, asked: Asked): Promise<Row> {
  const data = await dataOf(probe, asked)
  probe.hold(isRow(data), `data of ${asked.path} is an object`)
  return data
}

/** The `data` of a successful answer, or what stands in it under a name: a list of objects. */
export async function rowsOf(probe: Probe, asked: Asked, under?: string): Promise<Row[]> {
  const data = await dataOf(probe, asked)
  const list = under === undefined ? data : isRow(data) ? data[under] : undefined
  const name = under === undefined ? 'data' : `data.${under}`
  probe.hold(Array.isArray(list) && list.every(isRow), `${name} of ${asked.path} is a list`)
  return list as Row[]
}

/** A query as text, for paths that are shown. */
export const by = (path: string, query: NonNullable<Asked['query']> = {}): Asked => ({
  path,
  query,
})

/** Whether an answer refuses with a code of envelope B; its HTTP status may be 200 (open). */
export const isRefused = ({ status, json }: Exchange, code: string): boolean =>
  isRow(json) && json.code === code && json.data === null && [Number(code), 200].includes(status)

/**
 * Looks until nothing is amiss: between two answers a market may have moved. `look` gives what is
 * amiss in words, null for nothing.
 */
export async function settled(probe: Probe, look: () => Promise<string | null>): Promise<void> {
  let amiss: string | null = null
  for (let tries = 0; tries < TRIES; tries++) {
    amiss = await look()
    if (amiss === null) return
  }
  probe.hold(false, amiss ?? '', probe.exchanges.slice(-3))
}

/** Looks at a market that moves before two answers count as different. */
const TRIES = 4
