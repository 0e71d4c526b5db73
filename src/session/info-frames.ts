/** A request of `POST /info` that came over a socket of the perpetual venue. */
import { isSlices, type Slices } from '../clock/turns.ts'
import type { ClientCommand } from '../contract/dialect.ts'
import { isRefusal } from '../contract/refusal.ts'
import { refusalText } from '../contract/refusal-body.ts'
import { answerVenueInfo, info } from '../contract/venue/info.ts'
import type { HttpResponse } from '../pipeline/http-message.ts'
import { operationCallOf } from '../pipeline/operation-call.ts'
import { recordedOutcome } from '../pipeline/recorded-answer.ts'
import { jsonOf } from '../replay/json-text.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

type InfoCommand = Extract<ClientCommand, { command: 'post' }>

/** The frame that answers it. Trading does not exist here: every `action` is refused. */
export function* infoResponseFrame(sandbox: Sandbox, command: InfoCommand): Slices<string> {
  const response = yield* infoResponse(sandbox, command)
  return JSON.stringify({ channel: 'post', data: { id: command.id, response } })
}

function* infoResponse(sandbox: Sandbox, { type, payload }: InfoCommand): Slices<object> {
  if (type !== 'info') return errorResponse('only requests of type info are answered here')
  const request = (payload ?? {}) as { type?: unknown }
  if (typeof request.type !== 'string')
    return errorResponse('payload must be an object with a type')
  const recorded = yield* recordedResponse(sandbox, request as { type: string })
  if (recorded) return recorded
  const answer = answerVenueInfo(request as { type: string }, sandbox.facts())
  const data = isSlices(answer) ? yield* answer : answer
  if (isRefusal(data))
    return errorResponse('Failed to deserialize the JSON body into the target type')
  return { type: 'info', payload: { type: request.type, data } }
}

/** As a recording has it, or whoever answers what it has not; null where that is the world. */
function* recordedResponse(sandbox: Sandbox, request: { type: string }): Slices<object | null> {
  const body = JSON.stringify(request)
  const asked = { method: info.method, path: info.path, params: {}, query: '', body }
  const call = operationCallOf(info, asked)
  const outcome = yield* recordedOutcome(sandbox, call, sandbox.position(), null)
  if (outcome?.refusal) return errorResponse(refusalText(outcome.refusal))
  return outcome?.answer ? responseOf(request.type, outcome.answer) : null
}

function responseOf(type: string, { status, body }: HttpResponse): object {
  const data = status === 200 ? jsonOf(body) : undefined
  return data === undefined ? errorResponse(body) : { type: 'info', payload: { type, data } }
}

const errorResponse = (why: string) => ({ type: 'error', payload: why })
