/**
 * A client of the control plane: a method for each of its calls, with the types of what it takes
 * and answers. It runs on Bun, on Node and in a browser.
 */
import type { Call, CallOptions } from './call.ts'
import { CALLS } from './call-list.ts'
import type { ControlCalls } from './call-types.ts'
import { ControlError } from './control-error.ts'
import { type JournalGap, journalEvents } from './journal-events.ts'
import type { JournalEntry, JournalFilter } from './records.ts'
import { type ControlSettings, readAnswer, type Sending, sender } from './sender.ts'

export type { CallOptions, Page } from './call.ts'
export type { ControlCalls } from './call-types.ts'
export { ControlError, type ControlErrorCode } from './control-error.ts'
export type { JournalGap } from './journal-events.ts'
export type * from './records.ts'
export type { ControlSettings } from './sender.ts'

/** The calls as methods; those for a sandbox take its id first. */
export interface Control extends Omit<ControlCalls, 'journal'> {
  journal: ControlCalls['journal'] & {
    /**
     * Entries as they are written. It resolves when the server has begun to send them, so that
     * nothing that happens from then on is missed; `signal` and leaving the loop end it.
     */
    follow(id: string, filter?: JournalFilter, options?: CallOptions): Promise<JournalFollowing>
  }
  /** The calls for one sandbox, without its id. */
  sandbox(id: string): SandboxControl
}

export type JournalFollowing = AsyncGenerator<JournalEntry | JournalGap, void>

/** The calls for one sandbox. */
export type SandboxControl = { readonly id: string } & Bound<
  Omit<Control, 'explain' | 'health' | 'metrics' | 'sandbox' | 'sandboxes'>
> &
  Bound<Omit<ControlCalls['sandboxes'], 'create' | 'list'>>

/** Methods without their first parameter. */
type Bound<T> = {
  [K in keyof T]: T[K] extends (id: string, ...rest: infer R) => infer A
    ? (...rest: R) => A
    : Bound<T[K]>
}

/** A client of the control plane at a server's address, with or without `/_control`. */
export function control(url: string, settings: ControlSettings = {}): Control {
  const send = sender(url, settings)
  const ask = async (call: Call, given: unknown[]) => {
    const sending = sendingOf(call, given)
    return readAnswer(sending, await send(sending))
  }
  const follow = async (...given: unknown[]): Promise<JournalFollowing> => {
    const sending = { ...sendingOf(JOURNAL, given), accept: 'text/event-stream' }
    const response = await send(sending)
    const { body, status, url: at } = response
    if (body && response.ok) return journalEvents(body)
    await readAnswer(sending, response)
    throw new ControlError('unknown-answer', status, `${at} sends no journal`)
  }
  const everything = methods(CALLS, ask) as object as Control
  Object.assign(everything.journal, { follow })
  return { ...everything, sandbox: (id) => boundTo(id, ask, follow) }
}

const JOURNAL = CALLS.find(({ group, name }) => group === 'journal' && name === 'read') as Call

type Ask = (call: Call, given: unknown[]) => Promise<unknown>

function boundTo(
  id: string,
  ask: Ask,
  follow: (...given: unknown[]) => Promise<JournalFollowing>,
): SandboxControl {
  const own = CALLS.filter(({ path }) => path.startsWith('/sandboxes/:id'))
  const { sandboxes, journal, ...others } = methods(own, (call, given) => ask(call, [id, ...given]))
  return {
    id,
    ...others,
    ...(sandboxes as object),
    journal: { ...journal, follow: (...given: unknown[]) => follow(id, ...given) },
  } as object as SandboxControl
}

type Method = (...given: unknown[]) => Promise<unknown>

/** Calls by group and name. */
function methods(calls: readonly Call[], ask: Ask): Record<string, Method | object> {
  const found: Record<string, Method | Record<string, Method>> = {}
  for (const call of calls) {
    const method: Method = (...given) => ask(call, given)
    if (call.group === undefined) found[call.name] = method
    else found[call.group] = { ...found[call.group], [call.name]: method }
  }
  return found
}

/** What was given to a method: names of the path, then fields where it has some, then options. */
function sendingOf(call: Call, given: unknown[]): Sending {
  const rest = [...given]
  const names: Record<string, string> = {}
  for (const [, name = ''] of call.path.matchAll(/:(\w+)/g)) {
    const value = rest.shift()
    if (typeof value !== 'string' || value === '')
      throw new ControlError('wrong-call', null, `${callText(call)} needs ${name}, a text`)
    names[name] = value
  }
  const fields = (call.fields ? rest.shift() : undefined) ?? {}
  return {
    call,
    names,
    fields: fields as Record<string, unknown>,
    options: (rest.shift() ?? {}) as CallOptions,
  }
}

const callText = ({ group, name }: Call) => `${group === undefined ? '' : `${group}.`}${name}`
