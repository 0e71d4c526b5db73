/** Cases that look whether the numbers of every record of an answer fit one another. */
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { dataOf } from '../../response-reading.ts'
import { isClose } from '../../value-checks.ts'

export interface Identities {
  /** `meaning.` and the topic. */
  id: string
  title: string
  checks: readonly string[]
  request: ProbeRequest | ((probe: Probe) => Promise<ProbeRequest>)
  /** The records in the data; its rows, its list or itself when left out. */
  records?: (data: unknown) => JsonObject[]
  /** Sentences, and what they say of a record. */
  holds: Readonly<Record<string, (row: JsonObject) => boolean>>
}

/** The case of some identities: one request, every record judged. */
export const identityCase = ({ id, title, checks, request, records, holds }: Identities): Case => ({
  id,
  title,
  checks,
  run: async (probe: Probe) => {
    const asked = typeof request === 'function' ? await request(probe) : request
    const rows = (records ?? recordsOf)(await dataOf(probe, asked))
    if (rows.length === 0) probe.skip(`the target has no records of ${asked.path}`)
    for (const row of rows)
      for (const [sentence, isTrue] of Object.entries(holds))
        probe.assert(isTrue(row), `${asked.path}: ${sentence}`, row)
  },
})

/** The rows of data, of its list or its detail; else itself. */
export function recordsOf(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.filter(isJsonObject)
  if (!isJsonObject(data)) return []
  if (Array.isArray(data.list)) return data.list.filter(isJsonObject)
  return isJsonObject(data.detail) ? [data.detail] : [data]
}

/** A column as a number. */
export const numberIn = (row: JsonObject, name: string): number => Number(row[name])

/** A fraction of one, not a percentage; null and what is left out are none. */
export const isFraction = (value: unknown): boolean =>
  value === null || value === undefined || (Number(value) >= 0 && Number(value) <= 1)

/** Whether a column is what the others make, but for rounding. */
export const isRatio = (value: unknown, part: number, whole: number, rounded = 1e-4): boolean =>
  whole === 0 || isClose(value, part / whole, 1e-4, rounded)

/** Whether the columns rise: lowest, what lies between, highest. */
export const isBetween = (row: JsonObject, low: string, inner: string[], high: string): boolean =>
  inner.every(
    (name) =>
      numberIn(row, low) <= numberIn(row, name) && numberIn(row, name) <= numberIn(row, high),
  )
