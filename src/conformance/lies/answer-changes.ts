/** Changes of successful answers of one operation, or of one type of `POST /info`. */

import { isJsonObject, type JsonObject, parsedJson } from '../responses.ts'
import type { TransportRequest, TransportResponse } from '../target-transport.ts'
import { type Change, operationOf } from './lying-transport.ts'

/** The answers that a lie changes: of an operation, and for info of a type. */
export interface AnswerSource {
  operation: string
  type?: string
}

export const isOf = ({ operation, type }: AnswerSource, sent: TransportRequest): boolean => {
  if (operationOf(sent)?.id !== operation) return false
  if (type === undefined) return true
  const body = parsedJson(sent.body ?? '')
  return isJsonObject(body) && body.type === type
}

/** Changes the data of each success. */
export const dataChange = (
  source: AnswerSource,
  change: (data: unknown, sent: TransportRequest) => unknown,
): Change => ({
  answer: (received, sent) => {
    if (received.status !== 200 || !isOf(source, sent)) return received
    const body = successIn(received)
    return body === null
      ? received
      : { ...received, text: JSON.stringify({ ...body, data: change(body.data, sent) }) }
  },
})

function successIn({ text }: TransportResponse): JsonObject | null {
  const body = parsedJson(text)
  if (!isJsonObject(body) || body.data === null || body.data === undefined) return null
  const isRefused = body.success === false || !['0', '200', 'undefined'].includes(`${body.code}`)
  return isRefused ? null : body
}

/** A request without its signature: equal ones mean the same. */
export const meantBy = ({ method, path, body }: TransportRequest): string =>
  `${method} ${path} ${body ?? ''}`.replace(
    /[&?]?"?(AccessKeyId|Signature\w*|Timestamp)"?[=:]"?[^&",} ]*"?,?/g,
    '',
  )

/** Changes the data of a success from the second one to the same request on. */
export function laterChange(
  source: AnswerSource,
  change: (data: unknown, rank: number) => unknown,
): Change {
  const counts = new Map<string, number>()
  return dataChange(source, (data, sent) => {
    const key = meantBy(sent)
    const rank = counts.get(key) ?? 0
    counts.set(key, rank + 1)
    return rank === 0 ? data : change(data, rank)
  })
}

/** A number, or its text, a little more: a hundredth, and at least one in the last digit. */
export function nudged(value: unknown): unknown {
  if (typeof value === 'number') {
    if (value === 0) return value
    return Number.isInteger(value)
      ? value + Math.max(1, Math.round(Math.abs(value) / 100))
      : value * 1.01
  }
  if (typeof value !== 'string' || !isNumber(value) || Number(value) === 0) return value
  const decimals = value.split('.')[1]?.length ?? 0
  const unit = 10 ** -decimals
  const more = Number(value) + Math.max(unit, Math.abs(Number(value)) / 100)
  return more.toFixed(decimals)
}

/** A number, or its text, with the other sign. */
export function negated(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? value : -value
  if (typeof value !== 'string' || !isNumber(value) || Number(value) === 0) return value
  return value.startsWith('-') ? value.slice(1) : `-${value}`
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)
