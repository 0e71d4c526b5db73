/** Answers of a run agree with one another, and refusals keep to their envelopes. */

import { createHash } from 'node:crypto'
import type { Operation } from '../../../contract/operation.ts'
import { isJsonObject, type JsonObject } from '../../responses.ts'
import { Hearing, type LedgerRule, type Piece } from '../ledger-rule.ts'

/** Maximum number of remembered answers of one instant. */
const ANSWERS_MAX = 100_000

const sameInstant: LedgerRule = {
  id: 'ledger.same-instant',
  title: 'while the clock is held, the same request has the same answer, row for row',
  checks: ['operation.perpdex.fillsOfAddress'],
  judge: ({ compared, broken }, ledger) => {
    // Texts are read again only where they differ.
    const answers = new Map<string, { seq: number; digest: string }>()
    let hasControl = false
    return {
      hear(hearing) {
        const { heard, operation, seq } = hearing
        if (heard.kind === 'moved') {
          hasControl = true
          answers.clear()
        }
        // Before its first move, a clock may run.
        if (!hasControl || heard.kind !== 'answer' || operation === undefined) return
        if (isOfTenant(operation) || hearing.data === undefined) return
        const { by, method, path, prefix, query, body } = heard.request
        const key = digestOf(JSON.stringify([by, method, path, prefix, query, body]))
        const digest = digestOf(heard.text)
        const earlier = answers.get(key)
        if (earlier === undefined) {
          if (answers.size < ANSWERS_MAX) answers.set(key, { seq, digest })
          return
        }
        compared()
        if (earlier.digest === digest) return
        const before = new Hearing(earlier.seq, ledger.at(earlier.seq))
        const [one, other] = difference(before.json, hearing.json)
        broken(
          `${operation.id}: the same request has two answers at one instant`,
          { seq: earlier.seq, value: one },
          { seq, value: other },
        )
      },
    }
  },
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Whether clients change what it answers. */
const isOfTenant = ({ id, changes }: Operation): boolean =>
  changes === true || id.startsWith('distributor.') || id.startsWith('signal.')

/** The first parts that differ, with their place. */
function difference(one: unknown, other: unknown, at = ''): [unknown, unknown] {
  if (isJsonObject(one) && isJsonObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      if (JSON.stringify(one[name]) !== JSON.stringify(other[name]))
        return difference(one[name], other[name], `${at}.${name}`)
  }
  if (Array.isArray(one) && Array.isArray(other))
    for (let row = 0; row < Math.max(one.length, other.length); row++)
      if (JSON.stringify(one[row]) !== JSON.stringify(other[row]))
        return difference(one[row], other[row], `${at}[${row}]`)
  return [
    { at, is: one },
    { at, is: other },
  ]
}

// Refusals.

/** The names of the fields of each envelope that no other has. */
const ENVELOPES: Readonly<Record<string, readonly string[]>> = {
  A: ['success', 'errorCode', 'error', 'data'],
  B: ['code', 'msg', 'data'],
  C: ['success', 'error'],
}

const refusalEnvelopes: LedgerRule = {
  id: 'ledger.refusal-envelopes',
  title: 'every refusal is JSON in one envelope, and 401 and 403 are in B for every operation',
  checks: ['error.signature', 'error.permission'],
  judge: ({ compared, broken }) => {
    const right = new Map<string, Piece>()
    return {
      hear(hearing) {
        const { heard, operation, json, seq } = hearing
        if (heard.kind !== 'answer' || operation === undefined) return
        const refusal = refusalIn(hearing)
        if (refusal === null) return
        compared()
        const piece = {
          seq,
          value: {
            status: heard.status,
            contentType: heard.contentType,
            body: json ?? heard.text.slice(0, 200),
          },
        }
        const flaw = envelopeFlaw(refusal, hearing)
        if (flaw === null) right.set(refusal.code, right.get(refusal.code) ?? piece)
        else broken(`${operation.id}: ${flaw}`, right.get(refusal.code) ?? piece, piece)
      },
    }
  },
}

interface Refusal {
  /** 401, 403, or the status. */
  code: string
}

function refusalIn({ heard, json }: Hearing): Refusal | null {
  if (heard.kind !== 'answer') return null
  const body: JsonObject = isJsonObject(json) ? json : {}
  const said = String(body.code ?? body.errorCode ?? heard.status)
  if (heard.status >= 400) return { code: String(heard.status) }
  return heard.status === 200 && ['401', '403'].includes(said) && body.code !== undefined
    ? { code: said }
    : null
}

/** What is wrong with a refusal; null for nothing. */
function envelopeFlaw({ code }: Refusal, { heard, json }: Hearing): string | null {
  if (heard.kind !== 'answer' || heard.status >= 500 || heard.status === 429) return null
  if (!isJsonObject(json)) return `a refusal with ${heard.status} is no JSON object`
  if (!/json/i.test(heard.contentType))
    return `a refusal with ${heard.status} is sent as ${heard.contentType}`
  const names = Object.keys(json)
  const envelope = Object.entries(ENVELOPES).find(
    ([, fields]) =>
      names.every((name) => fields.includes(name)) &&
      fields.every((name) => name in json || name === 'data'),
  )?.[0]
  if (envelope === undefined)
    return `a refusal with ${heard.status} mixes envelopes: ${names.join(', ')}`
  if (code !== '401' && code !== '403') return null
  if (envelope !== 'B') return `${code} is refused in envelope ${envelope}, not B`
  if (json.code !== code) return `${code} is refused with code ${JSON.stringify(json.code)}`
  return json.data === null ? null : `${code} is refused with data`
}

// Content types.

const contentTypes: LedgerRule = {
  id: 'ledger.content-types',
  title: 'every success says that it is JSON, in UTF-8 if it names an encoding',
  checks: ['operation.perpdex.tickers'],
  judge: ({ compared, broken }) => {
    let right: Piece | null = null
    return {
      hear(hearing) {
        const { heard, operation, seq } = hearing
        if (heard.kind !== 'answer' || operation === undefined || hearing.data === undefined) return
        compared()
        const piece = { seq, value: { contentType: heard.contentType } }
        if (JSON_TYPE.test(heard.contentType)) right ??= piece
        else
          broken(
            `${operation.id}: a success is sent as ${heard.contentType || 'nothing'}`,
            right ?? piece,
            piece,
          )
      },
    }
  },
}

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-?8"?)?\s*$/i

export const ANSWER_RULES: readonly LedgerRule[] = [sameInstant, refusalEnvelopes, contentTypes]
