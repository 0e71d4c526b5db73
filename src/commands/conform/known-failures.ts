/** What the flags say of failures that were known before. */
import { readFileSync } from 'node:fs'
import { allCases } from '../../conformance/conform.ts'
import type { Expectation } from '../../conformance/known-failures.ts'
import { nearestName } from '../../suggestion/nearest-name.ts'
import { UserError } from '../../user-error.ts'

/** `answer.coin.ticker.1 until 2027-01-31: the price is a number there`. */
export function expectationOf(said: string): Expectation {
  const { id = '', until = '', reason = '' } = FORM.exec(said)?.groups ?? {}
  if (reason.trim() === '' || !isDay(until))
    throw new UserError(`--expect must be "ID until 2027-01-31: REASON", not "${said}"`)
  const ids = allCases().map((one) => one.id)
  if (ids.includes(id)) return { id, until, reason: reason.trim() }
  const nearest = nearestName(id, ids)
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`
  throw new UserError(`--expect: there is no case ${id}${hint}`)
}

/** The cases that failed in a report of an earlier run. */
export function baselineOf(file: string): string[] {
  const { results } = reportIn(file) ?? {}
  if (!Array.isArray(results))
    throw new UserError(`--baseline: ${file} was not written by --report json=FILE`)
  return results.flatMap(({ id, verdict }) => (verdict === 'failed' ? [String(id)] : []))
}

const FORM = /^(?<id>\S+) until (?<until>\S+): (?<reason>.+)$/s

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function reportIn(file: string): { results?: { id?: unknown; verdict?: unknown }[] } | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`--baseline: ${file} cannot be read: ${(error as Error).message}`)
  }
}
