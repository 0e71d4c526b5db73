/** A question of `POST /info` that came over a socket of the venue (shapes 3.1). */
import type { Wish } from '../contract/dialect.ts'
import { isRefusal } from '../contract/refusal.ts'
import { venueAnswer } from '../contract/venue/info.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** The frame that answers it. Trading does not exist here: every `action` is refused. */
export function postAnswer(sandbox: Sandbox, wish: Extract<Wish, { wish: 'post' }>): string {
  return JSON.stringify({
    channel: 'post',
    data: { id: wish.id, response: response(sandbox, wish) },
  })
}

function response(sandbox: Sandbox, { type, payload }: Extract<Wish, { wish: 'post' }>) {
  if (type !== 'info') return failed('only requests of type info are answered here')
  const asked = (payload ?? {}) as { type?: unknown }
  if (typeof asked.type !== 'string') return failed('payload must be an object with a type')
  const data = venueAnswer(asked as { type: string }, sandbox.facts())
  if (isRefusal(data)) return failed('Failed to deserialize the JSON body into the target type')
  return { type: 'info', payload: { type: asked.type, data } }
}

const failed = (why: string) => ({ type: 'error', payload: why })
