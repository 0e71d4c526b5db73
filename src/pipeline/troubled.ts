/** Where scenarios act on a request: as it arrives, on its data, and as its answer leaves. */
import type { Meaning } from '../contract/meaning.ts'
import { namesIn } from '../contract/named.ts'
import { bodyOf } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Arrival, Leaving } from '../scenario/deed.ts'
import { amongOthers } from '../scenario/magic.ts'
import type { Acting, Subject } from '../scenario/script.ts'
import type { Call } from './call.ts'
import type { Answer, Delivery } from './exchange.ts'
import type { Outcome } from './outcome.ts'
import { refuseAs } from './refusing.ts'

/** A change of the data of an answer. */
export type AnswerEdit = (data: unknown) => unknown

/** The way of a request through the scenarios of its sandbox. */
export function troubled(
  sandbox: Sandbox,
  call: Call,
  pass: (edit: AnswerEdit | null) => Outcome,
): Outcome {
  const subject = subjectOf(call)
  const { trouble } = sandbox
  const coming = trouble.acting(({ arrive }) => arrive !== undefined, subject)
  const arrivals = coming.map(({ deed, settings, dice }) => deed.arrive?.(settings, dice) ?? {})
  const stopped = stop(sandbox, call, arrivals)
  const changing = stopped ? [] : trouble.acting(({ edit }) => edit !== undefined, subject)
  for (const { leave } of arrivals) if (leave !== undefined) leaveOnly(sandbox, call, leave)
  const outcome = stopped ?? skewed(sandbox, arrivals, () => pass(editOf(changing, call)))
  const going = trouble.acting(({ depart }) => depart !== undefined, subject)
  const acted = [...coming, ...changing, ...going].map(({ rule }) => rule.name)
  const notes = trouble.magicIn(subject).flatMap((found) => amongOthers(found) ?? [])
  const answer = leave(sandbox, outcome.answer, arrivals, going)
  return { ...outcome, acted, note: notes.join('; ') || null, answer }
}

/** The answer of the first rule that lets nobody in; null when all do. */
function stop(sandbox: Sandbox, { operation }: Call, arrivals: readonly Arrival[]): Outcome | null {
  const first = arrivals.find(({ refusal, answer }) => refusal ?? answer)
  if (!first) return null
  const refusal = first.refusal ?? null
  const answer = refusal ? refuseAs(operation, refusal, sandbox) : (first.answer as Answer)
  return { answer, caller: null, refusal }
}

function editOf(acting: readonly Acting[], { operation, body }: Call): AnswerEdit | null {
  const schema = bodyOf(operation, body)?.data ?? operation.data
  const edits = acting.map(({ deed, settings, dice }) => deed.edit?.(settings, dice))
  if (edits.length === 0) return null
  return (data) => edits.reduce((changed, edit) => (edit ? edit(changed, schema) : changed), data)
}

/** Signatures are older or younger while the request is looked at. */
function skewed<T>({ trouble }: Sandbox, arrivals: readonly Arrival[], look: () => T): T {
  trouble.skewMs = arrivals.reduce((sum, { skewMs = 0 }) => sum + skewMs, 0)
  try {
    return look()
  } finally {
    trouble.skewMs = 0
  }
}

function leaveOnly({ tenancy, clock }: Sandbox, call: Call, requests: number): void {
  const key = tenancy.keys.get(call.signed.AccessKeyId ?? '')
  const quota = key && tenancy.limitsOf(key).monthlyQuota
  if (key && quota != null) tenancy.setUsed(key, clock.nowMs(), Math.max(0, quota - requests))
}

/** The answer as it is sent, after all that is done to it on its way out. */
function leave(
  sandbox: Sandbox,
  answer: Answer,
  arrivals: readonly Arrival[],
  going: readonly Acting[],
): Answer {
  const { status, contentType, body, headers = {} } = answer
  const start: Leaving = { status, contentType, body, headers }
  const { drop, drip, ...left } = going.reduce(
    (leaving, { deed, settings, dice }) => deed.depart?.(settings, dice)(leaving) ?? leaving,
    start,
  )
  const delayMs = arrivals.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0)
  const delivery: Delivery = {
    ...(delayMs > 0 ? { ready: passed(sandbox, delayMs) } : {}),
    ...(drop ? { drop } : {}),
    ...(drip ? { pieces: () => pieces(sandbox, left.body, drip) } : {}),
  }
  return Object.keys(delivery).length > 0 ? { ...left, delivery } : left
}

/** Until so much session time has passed, or the sandbox is gone. */
function passed(sandbox: Sandbox, ms: number): Promise<void> {
  return new Promise((resume) => {
    const forget = sandbox.whenDropped(resume)
    sandbox.clock.after(ms, () => {
      forget()
      resume()
    })
  })
}

async function* pieces(sandbox: Sandbox, body: string, perSecond: number) {
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += perSecond) {
    if (at > 0) await passed(sandbox, 1000)
    yield bytes.subarray(at, at + perSecond)
  }
}

/** What a request is about, by what its parameters mean. */
export function subjectOf({ operation, request, query, body, signed }: Call): Subject {
  const { params } = operation
  const given: [TSchema | undefined, unknown][] = [
    [params.path, request.params],
    [params.query, query],
    [params.body, body],
    [bodyOf(operation, body)?.request, body],
  ]
  const named = (...meanings: Meaning[]) =>
    given.flatMap(([schema, values]) => namesIn(schema, values, meanings))
  return {
    operation: operation.id,
    channels: [],
    key: signed.AccessKeyId ?? null,
    coins: named('coin', 'symbol'),
    addresses: named('address'),
  }
}
