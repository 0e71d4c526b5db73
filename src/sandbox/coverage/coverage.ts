/**
 * What clients have met of the contract in a sandbox: a count for each point of
 * `src/contract/coverage-points.ts`, for each open question that an outcome rests on, and for what
 * the contract does not have. The ids are made of declarations, never of what clients send, so
 * their number is bounded.
 */

import type { Channel } from '../../contract/channel.ts'
import { CLAIM_POINTS, EMPTY_DEPTH, isEverywhere } from '../../contract/coverage-points.ts'
import { VENUE_DIALECT } from '../../contract/dialect.ts'
import type { Operation } from '../../contract/operation.ts'
import { exceedsCut, parameterFields } from '../../contract/parameter-reader.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { hasBasis } from '../../contract/refusal-basis.ts'
import type { TObject, TSchema } from '../../contract/schema.ts'
import type { Outcome } from '../pipeline/http-message.ts'
import type { OperationCall } from '../pipeline/operation-call.ts'
import type { Reason } from '../pipeline/reason.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Subscriber } from '../session/stream.ts'

/** How often a point was met, and how often handled. */
export interface Met {
  met: number
  handled: number
}

/** The counts of a sandbox. */
export interface CoverageCounts {
  /** By the id of the point. */
  points: Readonly<Record<string, Readonly<Met>>>
  /** Outcomes that rest on an open question, by `question=answer`. */
  questions: Readonly<Record<string, number>>
  /** What was accepted beyond the contract, by the id of its question. */
  leniencies: Readonly<Record<string, number>>
  /** Requests that the contract does not have, by their refusal. */
  beyond: Readonly<Record<string, number>>
}

/** A parameter of an operation, with its counts. */
interface ParameterTally {
  name: string
  names: readonly string[]
  schema: TSchema
  place: 'path' | 'query' | 'body'
  sent: Met
  absent: Met
  cut: Met
}

/** The counts of an operation: a plain read counts without making an id. */
interface OperationTally {
  answered: Met
  parameters: readonly ParameterTally[]
}

/** What is known of a request besides its outcome. */
interface Circumstances {
  reason: Reason | null
  /** What it has beyond the contract, each with the id of its question. */
  lenient: readonly string[]
  /** Whether the level that it puts existed before. */
  hadLevel: boolean
}

/** What a frame of a stream is. */
export type FrameKind = 'snapshot' | 'push' | 'repeated' | 'stale'

/** Maximum number of scenarios that are counted by name: a sandbox may be given any number. */
const SCENARIOS_MAX = 200

export class Coverage {
  private points = new Map<string, Met>()
  private operations = new Map<Operation, OperationTally>()
  private questions = new Map<string, number>()
  private leniencies = new Map<string, number>()
  private beyond = new Map<string, number>()
  private scenarioCount = 0
  private readonly socketFaults = new Set<Met>()
  readonly sequels = new Sequels()

  /** Forgets all counts. */
  reset(): void {
    this.points = new Map()
    this.operations = new Map()
    this.questions = new Map()
    this.leniencies = new Map()
    this.beyond = new Map()
    this.scenarioCount = 0
    this.socketFaults.clear()
    this.sequels.clear()
  }

  /** Counts one of a point. */
  meet(id: string): Met {
    const met = this.of(id)
    met.met++
    return met
  }

  private of(id: string): Met {
    let met = this.points.get(id)
    if (met === undefined) {
      met = { met: 0, handled: 0 }
      this.points.set(id, met)
    }
    return met
  }

  /** Counts the outcome of a request of a client; without a call the path has no operation. */
  request(
    sandbox: Sandbox,
    call: OperationCall | null,
    outcome: Outcome,
    { reason, lenient, hadLevel }: Circumstances,
  ): void {
    if (call === null) return add(this.beyond, outcome.refusal?.refused ?? 'path')
    const { operation } = call
    if (operation.profile !== undefined) return
    const key = outcome.caller?.accessKey ?? call.signed.AccessKeyId ?? ''
    const { refusal, faultRules } = outcome
    const isActed = faultRules !== undefined && faultRules.length > 0
    if (refusal === null && outcome.answer.status === 200) {
      this.answered(call, outcome)
      if (operation.changes) this.changed(operation.id, hadLevel)
    }
    // Nothing waits for what a client does next, but after a refusal or a fault.
    if (this.sequels.isWaiting) this.sequels.wentOn(key, whatOf(call, outcome))
    if (lenient.length > 0) for (const one of lenient) this.lenient(one)
    if (reason?.question) add(this.questions, `${reason.question.id}=${reason.question.answer}`)
    if (refusal === null && !isActed) return
    const waiting: Met[] = []
    if (refusal !== null && !outcome.isByRule) waiting.push(...this.refused(operation, refusal))
    if (isActed) waiting.push(...this.acted(sandbox, faultRules))
    this.sequels.await(key, whatOf(call, outcome), waiting)
  }

  /** Whether the caller has the level that a request names. */
  hasLevel({ tenancy }: Sandbox, call: OperationCall | null): boolean {
    const { signed, request } = call as OperationCall
    const levels = tenancy.distributors.get(signed.AccessKeyId ?? '')?.levels
    return levels?.has(request.params.level ?? '') ?? false
  }

  private answered(call: OperationCall, { answer: { body } }: Outcome): void {
    const { operation, request, query } = call
    const { answered, parameters } = this.operations.get(operation) ?? this.newTally(operation)
    answered.met++
    for (const { names, name, schema, place, sent, absent, cut } of parameters) {
      const given = place === 'query' ? query : place === 'path' ? request.params : call.body
      const value = sentValue(given, names, name)
      if (value === undefined) absent.met++
      else {
        sent.met++
        if (schema['x-cut'] !== undefined && exceedsCut(schema, value)) cut.met++
      }
    }
    if (operation.bodies !== undefined) this.typeAnswered(operation, call.body)
    if (body.length < EMPTY_LENGTH) this.emptyAnswered(operation, body)
  }

  private newTally(operation: Operation): OperationTally {
    const { id, params } = operation
    const parameters = (['path', 'query', 'body'] as const).flatMap((place) => {
      const schema = params[place]
      if (schema?.type !== 'object') return []
      return parameterFields(schema as TObject).map((field) => ({
        name: field.name,
        names: field.names,
        schema: field.schema,
        place,
        sent: this.of(`parameter:${id}:${field.name}`),
        absent: this.of(`parameter:${id}:${field.name}:absent`),
        cut: this.of(`cap:${id}:${field.name}`),
      }))
    })
    const made = { answered: this.of(`operation:${id}`), parameters }
    this.operations.set(operation, made)
    return made
  }

  private typeAnswered({ id, bodies }: Operation, body: unknown): void {
    const { type } = (body ?? {}) as { type?: unknown }
    if (typeof type === 'string' && bodies?.has(type)) this.meet(`operation:${id}:${type}`)
  }

  private emptyAnswered({ id }: Operation, body: string): void {
    if (body.includes('"data":null')) this.meet(`operation:${id}:null`)
    else if (id === EMPTY_DEPTH && body.includes('"length":0')) this.meet(`operation:${id}:empty`)
  }

  private changed(id: string, hadLevel: boolean): void {
    const put = hadLevel ? 'level:replaced' : 'level:made'
    const state = id === 'distributor.putLevel' ? put : TRANSITIONS[id]
    if (state !== undefined) this.meet(`transition:${state}`)
  }

  /** Counts a refusal; what waits for the client's next step. */
  private refused(operation: Operation, refusal: Refusal): Met[] {
    const { refused } = refusal
    if (!hasBasis(refused)) {
      add(this.beyond, refused)
      return []
    }
    if (isEverywhere(refused)) return [this.meet(`refusal:any:${refused}`)]
    const id = `refusal:${operation.id}:${refused}`
    if (refusal.refused !== 'missing') return [this.meet(id)]
    const [name = ''] = refusal.parameter.split(/[. ]/)
    return [this.meet(`${id}:${name}`)]
  }

  /** Counts the scenarios whose rules have acted. */
  acted({ faultInjection }: Sandbox, rules: readonly string[]): Met[] {
    const names = new Set(rules.map((rule) => faultInjection.scenarioOf(rule)))
    return [...names].flatMap((name) => {
      if (name === null) return []
      const id = `scenario:${name}`
      if (!this.points.has(id) && ++this.scenarioCount > SCENARIOS_MAX) return []
      return [this.meet(id)]
    })
  }

  private lenient(text: string): void {
    add(this.leniencies, text.slice(0, text.indexOf(':')))
  }

  /** Counts a frame of a stream, where one of its subscribers is a client. */
  frame(channel: Channel, subscribers: Iterable<Subscriber>, kind: FrameKind): void {
    if (channel.dialect === VENUE_DIALECT || !hasClient(subscribers)) return
    const isFirst = kind === 'snapshot' && channel.dialect.name !== 'official'
    this.meet(`channel:${channel.id}:${isFirst ? 'push' : kind}`)
  }

  /** Scenarios that act on sockets: a true claim, or the subscriptions again, settle them. */
  socketFault(sandbox: Sandbox, rules: string): Met[] {
    const met = this.acted(sandbox, rules.split(', '))
    for (const one of met) this.socketFaults.add(one)
    return met
  }

  /** A claim was found to be true: what it is about was handled, if it was met. */
  claimed(kind: string): void {
    for (const id of CLAIM_POINTS[kind] ?? []) {
      const met = this.points.get(id)
      if (met !== undefined && met.met > 0) met.handled++
    }
    for (const met of this.socketFaults) met.handled++
    this.socketFaults.clear()
  }

  /** The counts of what was met. */
  counts(): CoverageCounts {
    const met = [...this.points].filter(([, one]) => one.met > 0)
    return {
      points: Object.fromEntries(met.map(([id, one]) => [id, { ...one }])),
      questions: Object.fromEntries(this.questions),
      leniencies: Object.fromEntries(this.leniencies),
      beyond: Object.fromEntries(this.beyond),
    }
  }
}

/** Whether one of them is not the console's own. */
function hasClient(subscribers: Iterable<Subscriber>): boolean {
  for (const { isConsole } of subscribers) if (!isConsole) return true
  return false
}

/** Responses without data are shorter than this. */
const EMPTY_LENGTH = 400

/** Transitions of operations that have only one; to put a level has two. */
const TRANSITIONS: Readonly<Record<string, string>> = {
  'distributor.deleteLevel': 'level:deleted',
  'distributor.register': 'invite:consumed',
  'signal.addAlert': 'alert:added',
  'signal.deleteAlert': 'alert:deleted',
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A request is the same again when its operation and its outcome are. */
const whatOf = ({ operation }: OperationCall, { answer, refusal }: Outcome): string =>
  refusal === null && answer.status === 200
    ? 'answered'
    : `${operation.id} ${refusal?.refused ?? answer.status}`

/** The sent value of a parameter, under any of its names; undefined where it was left out. */
function sentValue(given: unknown, names: readonly string[], name: string): unknown {
  if (typeof given !== 'object' || given === null) return undefined
  const fields = given as Readonly<Record<string, unknown>>
  const value = names.length === 1 ? fields[name] : names.map((one) => fields[one]).find(isGiven)
  return isGiven(value) ? value : undefined
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** What waits for the next step of a key. */
interface Waiting {
  /** What must not come again. */
  what: string
  of: readonly Met[]
}

/** A lost connection of a key. */
interface Lost {
  /** Keys of the subscriptions that it had and that its client has not again. */
  missing: Set<string>
  of: ReadonlySet<Met>
}

/** Maximum number of keys that something waits for, and of subscriptions of one of them. */
const [KEYS_MAX, SUBSCRIPTIONS_MAX] = [64, 200]

/**
 * What clients do after a refusal, a fault or a lost connection: it is handled when the client goes
 * on with something else than the same again, or has its subscriptions again.
 */
class Sequels {
  private readonly waiting = new Map<string, Waiting>()
  private readonly lost = new Map<string, Lost>()

  /** Whether anything waits for a request. */
  get isWaiting(): boolean {
    return this.waiting.size > 0
  }

  /** Whether a connection was lost. */
  get isLost(): boolean {
    return this.lost.size > 0
  }

  clear(): void {
    this.waiting.clear()
    this.lost.clear()
  }

  /** Waits for the next step of a key. */
  await(key: string, what: string, of: readonly Met[]): void {
    if (of.length === 0) return
    const before = this.waiting.get(key)
    // The same again: what it was met for is still waiting, once.
    const all = before?.what === what ? [...new Set([...before.of, ...of])] : of
    setBounded(this.waiting, key, { what, of: all })
  }

  /** A key has gone on. */
  wentOn(key: string, what: string): void {
    const waiting = this.waiting.get(key)
    if (waiting === undefined || waiting.what === what) return
    this.waiting.delete(key)
    for (const met of waiting.of) met.handled++
  }

  /** A connection of a key to a socket was lost, with its subscriptions. */
  lostConnection(name: string, subscriptions: Iterable<string>, of: readonly Met[]): void {
    const before = this.lost.get(name)
    const missing = [...(before?.missing ?? []), ...subscriptions].slice(0, SUBSCRIPTIONS_MAX)
    setBounded(this.lost, name, {
      missing: new Set(missing),
      of: new Set([...(before?.of ?? []), ...of]),
    })
  }

  /** A key has a connection to a socket again, or one more subscription on it. */
  regained(name: string, subscription: string | null): void {
    const lost = this.lost.get(name)
    if (lost === undefined) return
    if (subscription !== null) lost.missing.delete(subscription)
    if (lost.missing.size > 0) return
    this.lost.delete(name)
    for (const met of lost.of) met.handled++
  }
}

function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > KEYS_MAX && oldest !== undefined) map.delete(oldest)
}
