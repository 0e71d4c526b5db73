/**
 * The way of a request, top to bottom: find the sandbox, authenticate, authorize, meter, read,
 * answer, wrap, journal. Scenarios act as it arrives, on its data, and as its answer leaves.
 *
 * Authentication comes before reading: a bad signature with a missing parameter is a bad signature.
 */
import { wrap } from '../contract/envelope.ts'
import { type Ask, envelopeOf, type Operation } from '../contract/operation.ts'
import { isRefusal, type Refusal } from '../contract/refusal.ts'
import { isServed } from '../contract/served.ts'
import { admit } from '../sandbox/admission.ts'
import { tellWhy } from '../sandbox/diagnosis.ts'
import { meter } from '../sandbox/metering.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import { tenantOf } from '../sandbox/tenancy/tenant.ts'
import { type Call, callOf, read, write } from './call.ts'
import { type Answer, json, type Request } from './exchange.ts'
import { journalled } from './journalling.ts'
import type { Outcome } from './outcome.ts'
import { refuse, refuseAs } from './refusing.ts'
import { rangeFlaw } from './time-range.ts'
import { type AnswerEdit, troubled } from './troubled.ts'

/** Answers a request for an operation of the contract. */
export function answer(registry: Registry, operation: Operation, request: Request): Answer {
  const call = callOf(operation, request)
  const sandbox = registry.find(request.sandbox, call.owner)
  if (!sandbox || !isServed(operation, sandbox.terms)) return refuse({ refused: 'path' })
  const outcome = () => {
    const passed = sandbox.trouble.mayTouch(`${request.path}?${request.query}${request.body}`)
      ? troubled(sandbox, call, (edit) => pass(sandbox, call, edit))
      : pass(sandbox, call)
    sandbox.keeper?.commit()
    return passed
  }
  return journalled(sandbox, request, operation, () =>
    explained(registry, sandbox, call, outcome()),
  )
}

/** Answers what no operation is for: an unknown path, or a method that a path does not take. */
export function answerNothing(registry: Registry, refusal: Refusal, request: Request): Answer {
  const owner = /(?:^|&)AccessKeyId=([^&]*)/.exec(request.query)?.[1]
  const sandbox = registry.find(request.sandbox, owner)
  if (!sandbox) return refuse(refusal)
  const outcome = { answer: refuse(refusal, sandbox), caller: null, refusal }
  return journalled(sandbox, request, null, () => outcome)
}

/** What the client is not told is a line in the log: the likely mistake in a signature, a flaw. */
function explained(registry: Registry, sandbox: Sandbox, call: Call, outcome: Outcome): Outcome {
  if (outcome.refusal?.refused === 'signature') tellWhy(registry, sandbox, call.signed, call.query)
  const { why, caller } = outcome
  if (why) registry.log.tell(() => `${call.operation.id} for key "${caller?.accessKey}": ${why}`)
  return outcome
}

function pass(sandbox: Sandbox, call: Call, edit: AnswerEdit | null = null): Outcome {
  const { operation, signed } = call
  const no = (refusal: Refusal, caller: Key | null = null): Outcome => ({
    answer: refuseAs(operation, refusal, sandbox),
    caller,
    refusal,
  })

  const caller = admit(sandbox, operation, signed)
  if (isRefusal(caller)) return no(caller)
  const over = caller && meter(sandbox, caller)
  if (over) return no(over, caller)

  sandbox.player.catchUp()
  const here = sandbox.here()
  const ask = read(call, here.shiftMs)
  if (isRefusal(ask)) return no(ask, caller)
  const tooLong = caller && rangeFlaw(sandbox, caller, call, ask, here)
  if (tooLong) return no(tooLong, caller)

  const question = ask as Ask<never, never, never>
  const [facts, tenant] = [sandbox.facts(here), tenantOf(sandbox, caller)]
  const why = operation.flaw?.(question, facts, tenant) ?? null
  const data = operation.answer(question, facts, tenant)
  if (isRefusal(data)) return { ...no(data, caller), why }

  const told = write(operation.data, data, here.shiftMs)
  const shown = edit ? JSON.stringify(edit(JSON.parse(told))) : told
  const body = wrap(envelopeOf(operation, sandbox.answers), shown)
  return { answer: json(200, body), caller, refusal: null, why }
}
