/**
 * The way of a request, top to bottom: find the sandbox, authenticate, authorize, read, answer,
 * wrap.
 *
 * Authentication comes before reading: a bad signature with a missing parameter is a bad signature.
 */

import { wrap } from '../contract/envelope.ts'
import { type Ask, envelopeOf, type Operation } from '../contract/operation.ts'
import { readBody, readTexts, repeats } from '../contract/reading.ts'
import { rebaseOf } from '../contract/rebase.ts'
import { isRefusal, type Refusal, refusalForm } from '../contract/refusal.ts'
import type { TObject, TSchema } from '../contract/schema.ts'
import { isServed } from '../contract/served.ts'
import { CREDENTIAL_NAMES } from '../contract/signature.ts'
import { venueRefusal } from '../contract/venue/refusals.ts'
import { admit } from '../sandbox/admission.ts'
import { credentialsIn } from '../sandbox/authenticate.ts'
import { meter } from '../sandbox/metering.ts'
import type { Position } from '../sandbox/playhead.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import { type Answer, json, type Request, readQuery, readValues } from './exchange.ts'
import { keepRange } from './time-range.ts'

/** Answers a request for an operation of the contract. */
export function answer(registry: Registry, operation: Operation, request: Request): Answer {
  const query = readQuery(request.query)
  const body = parseBody(operation, request.body)
  const signed = credentialsIn({ ...credentialsIn(body.fields), ...credentialsIn(query) })

  const sandbox = registry.find(request.sandbox, signed.AccessKeyId ?? inviteIn(body.fields))
  if (!sandbox || !isServed(operation, sandbox.terms)) return refuse({ refused: 'path' })
  const no = (refusal: Refusal) => refuseAs(operation, refusal, sandbox)

  const caller = admit(sandbox, operation, signed)
  if (isRefusal(caller)) return no(caller)
  const over = caller && meter(sandbox, caller)
  if (over) return no(over)

  sandbox.player.catchUp()
  const here = sandbox.here()
  const ask = read(operation, request, query, body.value, here.shiftMs)
  if (isRefusal(ask)) return no(ask)

  const tooLong = caller && checkRange(sandbox, caller, ask, here)
  if (tooLong) return no(tooLong)

  const question = ask as Ask<never, never, never>
  const data = operation.answer(question, sandbox.facts(here), sandbox.tenant(caller))
  if (isRefusal(data)) return no(data)

  const shown = shift(operation.data, data, here.shiftMs)
  return json(200, wrap(envelopeOf(operation, sandbox.answers), JSON.stringify(shown)))
}

/** In the venue's words for the venue's own operations. */
function refuseAs({ profile }: Operation, refusal: Refusal, sandbox: Sandbox): Answer {
  return (profile === 'raw' ? venueRefusal(refusal) : null) ?? refuse(refusal, sandbox)
}

/** The answer to a path that no operation has, or a method that a path does not take. */
export function refuse(refusal: Refusal, sandbox?: Sandbox): Answer {
  const { status, body } = refusalForm(refusal, sandbox?.answers)
  return json(status, body, headersOf(refusal, sandbox))
}

function headersOf(refusal: Refusal, sandbox?: Sandbox): Record<string, string> | undefined {
  if (refusal.refused === 'method') return { allow: refusal.allowed.join(', ') }
  if (refusal.refused !== 'rate' && refusal.refused !== 'quota') return undefined
  const told = sandbox?.answers[refusal.refused === 'rate' ? 'over-rate' : 'over-quota']
  return told === 'retry-after' ? { 'retry-after': String(refusal.retryAfterS) } : undefined
}

function checkRange(
  sandbox: Sandbox,
  caller: Key,
  { query, body }: Ask<unknown, unknown, unknown>,
  { atMs, shiftMs }: Position,
): Refusal | null {
  const { maxTimeRangeS } = sandbox.tenancy.limitsOf(caller)
  if (maxTimeRangeS === null || sandbox.terms.metering === 'off') return null
  const cut = sandbox.answers['over-time-range'] === 'cut'
  // The body of the info proxy is not shifted before it is answered.
  const nowMs = typeof (body as { type?: unknown })?.type === 'string' ? atMs + shiftMs : atMs
  return keepRange(query, atMs, maxTimeRangeS, cut) ?? keepRange(body, nowMs, maxTimeRangeS, cut)
}

/** An invite token belongs to a sandbox, as keys do. */
function inviteIn({ invite_token }: Record<string, unknown>): string | undefined {
  return typeof invite_token === 'string' ? invite_token : undefined
}

interface Body {
  value: unknown
  /** Its fields when it is an object. */
  fields: Record<string, unknown>
}

/** The body as JSON, the signature parameters taken out of it; undefined when it is not JSON. */
function parseBody(operation: Operation, text: string): Body {
  if (operation.method === 'GET' || text === '') return { value: undefined, fields: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { value: undefined, fields: {} }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { value, fields: {} }
  const rest = { ...value } as Record<string, unknown>
  for (const name of CREDENTIAL_NAMES) delete rest[name]
  return { value: rest, fields: value as Record<string, unknown> }
}

function read(
  { params }: Operation,
  request: Request,
  query: Record<string, string>,
  body: unknown,
  shiftMs: number,
): Ask<unknown, unknown, unknown> | Refusal {
  const valuesFor = (schema: TObject) => (repeats(schema) ? readValues(request.query) : query)
  const path = params.path ? readTexts(params.path, request.params) : {}
  if (isRefusal(path)) return path
  const asked = params.query ? readTexts(params.query, valuesFor(params.query)) : {}
  if (isRefusal(asked)) return asked
  const given = params.body ? readBody(params.body, body) : undefined
  if (isRefusal(given)) return given
  return {
    path,
    query: shift(params.query, asked, -shiftMs),
    body: shift(params.body, given, -shiftMs),
  }
}

function shift(schema: TSchema | undefined, value: unknown, byMs: number): unknown {
  if (schema === undefined || byMs === 0) return value
  return rebaseOf(schema)?.(value, byMs) ?? value
}
