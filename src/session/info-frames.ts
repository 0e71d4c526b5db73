/** A request of `POST /info` that came over a socket of the perpetual venue. */
import { isSlices, type Slices } from '../clock/turns.ts'
import type { ClientCommand } from '../contract/dialect.ts'
import { isRefusal } from '../contract/refusal.ts'
import { answerVenueInfo } from '../contract/venue/info.ts'
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
  const answer = answerVenueInfo(request as { type: string }, sandbox.facts())
  const data = isSlices(answer) ? yield* answer : answer
  if (isRefusal(data))
    return errorResponse('Failed to deserialize the JSON body into the target type')
  return { type: 'info', payload: { type: request.type, data } }
}

const errorResponse = (why: string) => ({ type: 'error', payload: why })
