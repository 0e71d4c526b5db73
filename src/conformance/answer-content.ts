/**
 * Content of a response or push: whether it is evidence that could have revealed a deviation, as an
 * empty list never is, and its operation or channel.
 */

import Memoirist from 'memoirist'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import type { Channel } from '../contract/channel.ts'
import type { Method, Operation } from '../contract/operation.ts'
import { isPong, type SocketFrame } from './probe-socket.ts'
import { isJsonObject } from './responses.ts'

/** Evidence of a case so far: nothing to judge, a refusal, or values. */
export type Evidence = 'nothing' | 'refusal' | 'values'

/** Evidence in a response. */
export function evidenceIn(status: number, json: unknown): Evidence {
  if (!isJsonObject(json)) return hasValues(json) ? 'values' : 'nothing'
  if (status !== 200 || isRefusal(json)) return 'refusal'
  const { success, errorCode, error, code, msg, ...rest } = json
  return hasValues('data' in rest ? rest.data : rest) ? 'values' : 'nothing'
}

/** Evidence of a case after another response. */
export function evidenceAfter(before: Evidence, status: number, json: unknown): Evidence {
  const now = evidenceIn(status, json)
  return STRENGTHS.indexOf(now) > STRENGTHS.indexOf(before) ? now : before
}

/** Whether a value contains anything besides brackets, nulls, empty texts and zeros. */
export function hasValues(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasValues)
  if (isJsonObject(value)) return Object.values(value).some(hasValues)
  return value !== null && value !== undefined && !['', '0', 0].includes(value as string)
}

const STRENGTHS: readonly Evidence[] = ['nothing', 'refusal', 'values']

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (code !== undefined && !SUCCESS_CODES.includes(String(code)))

const SUCCESS_CODES = ['0', '200']

// Finds the declaration of a response or push: its data and schema.

/** The operation of a path below the prefix; undefined for none. */
export const operationAt = (method: Method, path: string): Operation | undefined =>
  ROUTES.find(method, path)?.store

/** The channel of a pushed frame; undefined for other frames. */
export function channelOf(path: string, frame: SocketFrame): Channel | undefined {
  if (!('data' in frame) || isPong(frame) || frame.type === 'stat') return undefined
  return CHANNELS.find(
    ({ id, dialect }) =>
      dialect.path === path && (dialect.name === 'addresses' || frame.channel === id),
  )
}

/** The data of a push; the place of `stale` is open. */
export const pushedData = (frame: SocketFrame): unknown =>
  'stale' in frame && isJsonObject(frame.data) ? { ...frame.data, stale: frame.stale } : frame.data

const ROUTES = new Memoirist<Operation>()
for (const operation of OPERATIONS)
  if (!operation.profile)
    ROUTES.add(operation.method, operation.path, operation, { ignoreHistory: true })
