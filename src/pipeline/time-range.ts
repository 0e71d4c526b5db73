/** The longest span of time that a key may ask for (spec, Level config, max_time_range). */
import {
  type AskedField,
  type AskedRange,
  askedFields,
  rangesAsked,
} from '../contract/asked-range.ts'
import { type Ask, bodyOf } from '../contract/operation.ts'
import type { Answers } from '../contract/questions.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { TSchema } from '../contract/schema.ts'
import type { Position } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import type { Call } from './call.ts'

/** Why a key may not ask for so long a span; one that is to be cut is cut, and null. */
export function rangeFlaw(
  sandbox: Sandbox,
  caller: Key,
  call: Call,
  ask: Ask<unknown, unknown, unknown>,
  here: Position,
): Refusal | null {
  const { maxTimeRangeS: mostS } = sandbox.limitsOf(caller)
  if (mostS === null || sandbox.terms.metering === 'off') return null
  const { answers } = sandbox
  const isOver = (range: AskedRange) =>
    range.lengthMs > mostS * 1000 && !isLetBy(range, mostS * 1000, answers)
  return rangesOf(call, ask, here, answers).some(isOver) ? { refused: 'timeRange', mostS } : null
}

/** Whether a range that is too long passes all the same, cut or as it is. */
function isLetBy(range: AskedRange, mostMs: number, answers: Answers): boolean {
  if (range.isUsual && answers['default-time-range'] === 'free') return true
  const isCut = answers[range.isUsual ? 'default-time-range' : 'over-time-range'] === 'cut'
  return isCut && range.cut(mostMs)
}

function rangesOf(
  { operation, request, query, body }: Call,
  ask: Ask<unknown, unknown, unknown>,
  { atMs, shiftMs }: Position,
  answers: Answers,
): AskedRange[] {
  const { params } = operation
  const inPath = fieldsIn(params.path, ask.path, request.params)
  const inQuery = fieldsIn(params.query, ask.query, query)
  const inBody = fieldsIn(params.body, ask.body, body)
  // Such a body is read and shifted by its answer: here it has the times that clients are shown.
  const inner = fieldsIn(bodyOf(operation, body)?.request, ask.body, body)
  return [
    ...rangesAsked([...inPath, ...inQuery], { nowMs: atMs, answers }),
    ...rangesAsked(inBody, { nowMs: atMs, answers }),
    ...rangesAsked(inner, { nowMs: atMs + shiftMs, answers }),
  ]
}

function fieldsIn(schema: TSchema | undefined, read: unknown, sent: unknown): AskedField[] {
  if (schema === undefined || !isObject(read) || !isObject(sent)) return []
  return askedFields(schema, read, sent)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
