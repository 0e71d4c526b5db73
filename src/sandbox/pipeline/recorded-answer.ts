/** A request answered from a recording, or by whoever answers what was not recorded. */

import type { Slices } from '../../clock/turns.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../../tape/replay/upstream.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { HttpResponse } from './http-message.ts'
import type { OperationCall } from './operation-call.ts'
import type { AnswerEdit } from './request-faults.ts'

/** An answer, a refusal, or neither: then the world answers, and `why` says so in the journal. */
export interface RecordedOutcome {
  answer?: HttpResponse
  refusal?: Refusal<'notRecorded' | 'upstream'>
  why: string | null
}

/** null where no recording is served back. */
export function* recordedOutcome(
  sandbox: Sandbox,
  call: OperationCall,
  position: TapePosition,
  edit: AnswerEdit | null,
): Slices<RecordedOutcome | null> {
  const { recording, upstream = null } = sandbox.world
  if (!recording) return null
  const { operation, request, body } = call
  const { params, query } = request
  const found = recording.answer({ operation, params, query, body }, position)
  if ('answer' in found) return { answer: yield* edited(found.answer, edit), why: null }
  const { miss } = sandbox.config
  if (miss === 'refuse')
    return { refusal: { refused: 'notRecorded', why: found.missed }, why: null }
  if (miss === 'world') return { why: found.missed }
  if (!upstream)
    return {
      refusal: { refused: 'upstream', why: 'the server was started without --upstream' },
      why: null,
    }
  const { path } = splitSandboxBase(request.path)
  const target = query === '' ? path : `${path}?${query}`
  const asked = askedOf(upstream, { method: request.method, target, body: request.body })
  yield asked.done
  if ('why' in asked.result)
    return { refusal: { refused: 'upstream', why: asked.result.why }, why: found.missed }
  return { answer: yield* edited(asked.result, edit), why: found.missed }
}

/** An answer that is waited for; its result is there once it is done. */
function askedOf(upstream: Upstream, request: UpstreamRequest) {
  const asked: { result: UpstreamAnswer | { why: string }; done: Promise<void> } = {
    result: { why: 'no answer' },
    done: Promise.resolve(),
  }
  asked.done = upstream.ask(request).then(
    (answer) => {
      asked.result = answer
    },
    (error: Error) => {
      asked.result = { why: error.message }
    },
  )
  return asked
}

/** What a scenario does to the data of an answer. */
function* edited(
  { status, contentType, body }: UpstreamAnswer,
  edit: AnswerEdit | null,
): Slices<HttpResponse> {
  const plain = { status, contentType, body }
  if (!edit || status !== 200) return plain
  try {
    const read = JSON.parse(body)
    const isWrapped = typeof read === 'object' && read !== null && 'data' in read
    const data = yield* edit(isWrapped ? read.data : read)
    const changed = isWrapped ? { ...read, data } : data
    return { ...plain, body: JSON.stringify(changed) }
  } catch {
    return plain
  }
}
