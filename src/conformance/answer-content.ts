/**
 * What an answer or a push contains: whether it could have shown the target to be wrong, as an
 * empty list never does, and which operation or channel it is of.
 */

import Memoirist from 'memoirist'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import type { Channel } from '../contract/channel.ts'
import type { Method, Operation } from '../contract/operation.ts'
import { isPong, type SocketFrame } from './probe-socket.ts'
import { isJsonObject } from './responses.ts'

/** What a case has been told so far: nothing it could judge, a refusal, or values. */
export type Evidence = 'nothing' | 'refusal' | 'values'

/** What an answer says that can be judged. */
export function evidenceIn(status: number, json: unknown): Evidence {
  if (!isJsonObject(json)) return hasValues(json) ? 'values' : 'nothing'
  if (status !== 200 || isRefusal(json)) return 'refusal'
  const { success, errorCode, error, code, msg, ...rest } = json
  return hasValues('data' in rest ? rest.data : rest) ? 'values' : 'nothing'
}

/** What a case has been told after another answer. */
export function evidenceAfter(before: Evidence, status: number, json: unknown): Evidence {
  const now = evidenceIn(status, json)
  return STRENGTHS.indexOf(now) > STRENGTHS.indexOf(before) ? now : before
}

/** Whether there is anything in it besides brackets, nulls, empty texts and zeros. */
export function hasValues(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasValues)
  if (isJsonObject(value)) return Object.values(value).some(hasValues)
  return value !== null && value !== undefined && !['', '0', 0].includes(value as string)
}

const STRENGTHS: readonly Evidence[] = ['nothing', 'refusal', 'values']

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (code !== undefined && !SUCCESS_CODES.includes(String(code)))

const SUCCESS_CODES = ['0', '200']

// What is answered and pushed, found in the declarations: the data and the schema that it has.

/** The operation that a path below the prefix means; undefined for none. */
export const operationAt = (method: Method, path: string): Operation | undefined =>
  ROUTES.find(method, path)?.store

/** The channel of which a frame is a push; undefined for other frames. */
export function channelOf(path: string, frame: SocketFrame): Channel | undefined {
  if (!('data' in frame) || isPong(frame) || frame.type === 'stat') return undefined
  return CHANNELS.find(
    ({ id, dialect }) =>
      dialect.path === path && (dialect.name === 'addresses' || frame.channel === id),
  )
}

/** The data of a push; where `stale` stands is open. */
export const pushedData = (frame: SocketFrame): unknown =>
  'stale' in frame && isJsonObject(frame.data) ? { ...frame.data, stale: frame.stale } : frame.data

const ROUTES = new Memoirist<Operation>()
for (const operation of OPERATIONS)
  if (!operation.profile)
    ROUTES.add(operation.method, operation.path, operation, { ignoreHistory: true })
