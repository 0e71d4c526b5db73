/**
 * The longest span of time that a key may ask for (the service's documentation, Level config,
 * max_time_range).
 */

import { bodyOf, type OperationInput } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions.ts'
import type { Refusal } from '../../contract/refusal.ts'
import {
  askedFields,
  type RequestedRange,
  type RequestField,
  requestedRanges,
} from '../../contract/requested-ranges.ts'
import type { TSchema } from '../../contract/schema.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { OperationCall } from './operation-call.ts'

/** Why a key may not ask for so long a span; one that is to be cut is cut, and null. */
export function timeRangeRefusal(
  sandbox: Sandbox,
  caller: ApiKey,
  call: OperationCall,
  input: OperationInput<unknown, unknown, unknown>,
  position: TapePosition,
): Refusal | null {
  const { maxTimeRangeS: maxS } = sandbox.limitsOf(caller)
  if (maxS === null || sandbox.config.metering === 'off') return null
  const { answers } = sandbox
  const isOver = (range: RequestedRange) =>
    range.lengthMs > maxS * 1000 && !isAllowed(range, maxS * 1000, answers)
  return rangesOf(call, input, position, answers).some(isOver)
    ? { refused: 'timeRange', maxS }
    : null
}

/** Whether a range that is too long passes all the same, cut or as it is. */
function isAllowed(range: RequestedRange, maxMs: number, answers: Answers): boolean {
  if (range.isUsual && answers['default-time-range'] === 'free') return true
  const isCut = answers[range.isUsual ? 'default-time-range' : 'over-time-range'] === 'cut'
  return isCut && range.cut(maxMs)
}

function rangesOf(
  { operation, request, query, body }: OperationCall,
  input: OperationInput<unknown, unknown, unknown>,
  { atMs, shiftMs }: TapePosition,
  answers: Answers,
): RequestedRange[] {
  const { params } = operation
  const inPath = fieldsIn(params.path, input.path, request.params)
  const inQuery = fieldsIn(params.query, input.query, query)
  const inBody = fieldsIn(params.body, input.body, body)
  // Such a body is read and shifted by its answer: here it has the times that clients are shown.
  const innerBody = fieldsIn(bodyOf(operation, body)?.request, input.body, body)
  return [
    ...requestedRanges([...inPath, ...inQuery], { nowMs: atMs, answers }),
    ...requestedRanges(inBody, { nowMs: atMs, answers }),
    ...requestedRanges(innerBody, { nowMs: atMs + shiftMs, answers }),
  ]
}

function fieldsIn(schema: TSchema | undefined, read: unknown, sent: unknown): RequestField[] {
  if (schema === undefined || !isObject(read) || !isObject(sent)) return []
  return askedFields(schema, read, sent)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
