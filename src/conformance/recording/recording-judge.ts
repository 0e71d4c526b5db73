/** Judges recorded client traffic against the contract, without sending any. */

import { Value } from '@sinclair/typebox/value'
import { CHANNELS } from '../../contract/catalogue.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { envelopeOf, type Method, type Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import type { TSchema } from '../../contract/schema.ts'
import { channelOf, evidenceIn, operationAt, pushedData } from '../answer-content.ts'
import { CheckFailure } from '../case-outcome.ts'
import type { Said, SaidSocket } from '../conversation.ts'
import { answerFlaw, frameFlaw, timeOf } from '../declared-violations.ts'
import { judgeAnswer } from '../derived.ts'
import { isTooMany } from '../pace.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { isPong, type SocketFrame } from '../probe-socket.ts'
import { type Report, reportOf } from '../report.ts'
import { requirementsOf } from '../requirements.ts'
import {
  fractionalTimes,
  isJsonObject,
  isSuccess,
  malformedNumbers,
  parsedJson,
} from '../responses.ts'
import type { Result } from '../runner.ts'
import { SchemaCoverage } from '../schema-coverage.ts'
import {
  type Fetched,
  probeExchange,
  RecordedAnswers,
  type RecordedExchange,
  type RecordedMessage,
  requestedFor,
} from './recorded-answers.ts'
import { RecordedLedger } from './recorded-ledger.ts'

/** Findings from recorded traffic alone. */
export class Learning {
  /** Source of answers to the open questions. */
  readonly answers = new RecordedAnswers()
  exchanges = 0
  messages = 0
  private skipped = 0
  private readonly judge = new RecordingJudge()
  private readonly ledger = new RecordedLedger()

  exchange(recorded: RecordedExchange): void {
    this.exchanges++
    this.judge.exchange(recorded)
    this.answers.add(recorded)
    this.ledger.exchange(recorded)
  }

  /** Counts an exchange that cannot be judged, as it is not the service's response. */
  skip(): void {
    this.skipped++
  }

  /** A socket was opened; its earlier frames are unknown when it is continued. */
  opened(connection: number, url: string, seq: number, isContinued = false): void {
    this.judge.opened(connection, url, seq)
    this.answers.opened(connection, url)
    if (!isContinued) this.ledger.opened(connection, url, seq)
  }

  /** A socket was closed. */
  closed(connection: number, code: number, seq: number): void {
    this.ledger.closed(connection, code, seq)
  }

  /** Something is missing before what follows, or another recording begins. */
  gap(): void {
    this.ledger.gap()
  }

  message(recorded: RecordedMessage): void {
    const { connection, direction, text } = recorded
    this.messages++
    this.judge.message(recorded)
    this.answers.message(connection, direction, text)
    this.ledger.message(recorded)
  }

  /**
   * Findings in the suite's form, those of the rules over everything last.
   *
   * @param mark marks known failures
   * @param turn lets others run between parts of the work
   */
  async report(
    name: string,
    mark: (result: Result) => Result = (result) => result,
    turn?: () => Promise<void>,
  ): Promise<Report> {
    const { skipped, ledger } = this
    const whole = `${skipped} exchanges were not judged: they are not whole, or no text`
    const room = `${ledger.omitted} answers and frames were not kept for the rules: no room`
    const notes = [
      ...this.judge.notes,
      ...(skipped === 0 ? [] : [whole]),
      ...(ledger.omitted === 0 ? [] : [room]),
    ]
    const results = [...this.judge.results(), ...(await ledger.results(turn))].map(mark)
    const command = `tapewright conform --recording ${name}`
    return reportOf(name, results, this.judge.coverage, { command, notes })
  }
}

// Undeclared parts of responses and pushes: fields, and words of sets.

/** Maximum elements of a list. */
const ITEMS_MAX = 200

/** Called for a part, with its place and value. */
type OnUnknown = (part: string, found: unknown) => void

/**
 * Finds parts of a value that its schema does not declare; `name` is of the operation or channel.
 */
function unknownParts(name: string, schema: TSchema, value: unknown, tell: OnUnknown): void {
  if (schema.anyOf) ofUnion(name, schema.anyOf as TSchema[], value, tell)
  else if (schema.enum) {
    if (!(schema.enum as unknown[]).includes(value)) tell(`a value of ${name}`, value)
  } else if (schema.const !== undefined) {
    if (schema.const !== value) tell(`a value of ${name}`, value)
  } else if (schema.type === 'array') ofList(name, schema, value, tell)
  else if (schema.type === 'object') ofFields(name, schema, value, tell)
}

function ofUnion(
  name: string,
  branches: readonly TSchema[],
  value: unknown,
  tell: OnUnknown,
): void {
  if (branches.every((branch) => branch.const !== undefined)) {
    if (!branches.some((branch) => branch.const === value)) tell(`a value of ${name}`, value)
    return
  }
  const kind = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : null
  const branch =
    branches.find((one) => Value.Check(one, value)) ?? branches.find((one) => one.type === kind)
  if (branch) unknownParts(name, branch, value, tell)
}

function ofList(name: string, { items }: TSchema, value: unknown, tell: OnUnknown): void {
  if (!Array.isArray(value)) return
  for (const [at, item] of value.slice(0, ITEMS_MAX).entries()) {
    const of = Array.isArray(items) ? (items as TSchema[])[at] : (items as TSchema | undefined)
    if (of) unknownParts(`${name}[]`, of, item, tell)
  }
}

function ofFields(name: string, schema: TSchema, value: unknown, tell: OnUnknown): void {
  if (!isJsonObject(value)) return
  const fields = (schema.properties ?? {}) as Record<string, TSchema>
  const others = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)[0]
  for (const [key, inner] of Object.entries(value)) {
    const field = fields[key] ?? others
    if (field) unknownParts(`${name}.${field === others ? '*' : key}`, field, inner, tell)
    // An open schema is marked as such, or has no fields.
    else if (schema.properties && schema.additionalProperties !== true)
      tell(`the field ${name}.${key}`, inner)
  }
}

// Result of one aspect in which all items of a kind are judged.

/** Flaw with its place in the tape. */
interface Flaw {
  text: string
  seq: number
  said: Said[]
}

class Tally {
  private first: Flaw | null = null
  private flawed = 0
  private judged = 0
  private unjudged = 0

  constructor(
    private readonly id: string,
    private readonly title: string,
    private readonly checks: readonly string[],
  ) {}

  /** Judges one item; `flaw` is null when it holds. */
  judge(flaw: string | null, seq: number, said: () => Said[]): void {
    this.judged++
    if (flaw === null) return
    this.flawed++
    this.first ??= { text: flaw, seq, said: said() }
  }

  /** Counts an item that cannot be judged. */
  pass(): void {
    this.unjudged++
  }

  result(): Result {
    const { id, title, checks, judged, flawed, first, unjudged } = this
    const of = { id, title, checks, durationMs: 0, looked: judged > 0 }
    if (first !== null) {
      const message = `${first.text} (seq ${first.seq}; ${flawed} of ${judged})`
      return { ...of, verdict: 'failed', message, conversation: first.said }
    }
    if (judged > 0) return { ...of, verdict: 'passed', message: '', conversation: [] }
    const message = `none of the ${unjudged} that were recorded could be judged`
    return { ...of, verdict: 'skipped', message, conversation: [] }
  }
}

// Recorded traffic in a report's form.

/** Maximum characters of a kept text. */
const TEXT_MAX = 4_000

const UNSIGNED = { by: 'the client', in: 'query', ageS: 0, isAltered: false } as const

/** A request and its response. */
function loggedExchange(recorded: RecordedExchange): Said[] {
  const { method, url, requestBody, status, headers, responseBody } = recorded
  const contentType = headers['content-type'] ?? ''
  const answer = { afterMs: 0, status, contentType, text: responseBody.slice(0, TEXT_MAX) }
  const body = requestBody === '' ? {} : { body: requestBody.slice(0, TEXT_MAX) }
  const asking = { afterMs: 0, address: url, signature: UNSIGNED, ...body }
  return [{ kind: 'request', method: method as Method, ...asking, answer }]
}

/** A push. */
function loggedFrame(path: string, text: string): SaidSocket[] {
  const frames = [{ afterMs: 0, from: 'target' as const, text: text.slice(0, TEXT_MAX) }]
  const asking = { afterMs: 0, address: path, signature: UNSIGNED, answer: null }
  return [{ kind: 'socket', ...asking, frames, omitted: 0, closeCode: null }]
}

// Undeclared findings: each once, with its count and first place.

/** Maximum number of listed kinds. */
const PARTS_MAX = 500
const SHOWN_LETTERS = 100

class UnknownList {
  private readonly parts = new Map<string, { count: number; seq: number; shown: string }>()

  add(part: string, found: unknown, seq: number): void {
    const known = this.parts.get(part)
    if (known) known.count++
    else if (this.parts.size < PARTS_MAX)
      this.parts.set(part, { count: 1, seq, shown: text(found) })
  }

  lines(): string[] {
    const sorted = [...this.parts].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([part, { count, seq, shown }]) => {
      const times = count === 1 ? 'once' : `${count} times`
      return `not in the contract: ${part}, ${times}, first at seq ${seq}: ${shown}`
    })
  }
}

function text(found: unknown): string {
  const written = JSON.stringify(found) ?? 'nothing'
  return written.length > SHOWN_LETTERS ? `${written.slice(0, SHOWN_LETTERS)}…` : written
}

class RecordingJudge {
  private readonly tallies = new Map<string, Tally>()
  readonly coverage = new SchemaCoverage()
  private readonly unknown = new UnknownList()
  /** Path of each socket below the prefix. */
  private readonly paths = new Map<number, string>()
  private readonly lastTimes = new Map<string, number>()

  /** Undeclared findings, each with its count and first place. */
  get notes(): string[] {
    return this.unknown.lines()
  }

  exchange(recorded: RecordedExchange): void {
    const { method, url, requestBody, seq, status } = recorded
    const requested = requestedFor(method, url, requestBody)
    const operation = requested === null ? undefined : operationAt(requested.method, requested.path)
    if (requested === null || operation === undefined)
      return this.unknown.add(`the path ${method} ${url.split('?')[0]}`, status, seq)
    const exchange = probeExchange(requested, recorded)
    this.unknownParameters(operation, requested, seq)
    const said = () => loggedExchange(recorded)
    const tally = this.tallyOf('answer', operation.id, 'answers in its envelope and form')
    if (evidenceIn(status, exchange.json) === 'refusal' || isTooMany(status, exchange.text)) {
      tally.pass()
      return this.refusal(operation, exchange, seq)
    }
    const flaw = formFlaw(operation, exchange)
    tally.judge(flaw, seq, said)
    this.parts(operation, exchange, seq)
    if (flaw !== null) return
    this.coverage.listener.onAnswer?.(exchange, { body: requested.body })
    this.tallyOf(
      'content',
      operation.id,
      'orders rows and writes numbers and times as it must',
    ).judge(contentFlaw(requested, exchange), seq, said)
    this.tallyOf('limit', operation.id, 'returns no more rows than requested').judge(
      limitFlaw(operation, requested, exchange),
      seq,
      said,
    )
  }

  /** A socket was opened. */
  opened(connection: number, url: string, seq: number): void {
    const requested = requestedFor('GET', url)
    const isKnown = CHANNELS.some(({ dialect }) => dialect.path === requested?.path)
    if (requested === null || !isKnown)
      return this.unknown.add(`the socket ${url.split('?')[0]}`, 101, seq)
    this.paths.set(connection, requested.path)
  }

  message({ connection, direction, text, seq }: RecordedMessage): void {
    const path = this.paths.get(connection)
    if (path === undefined || direction === 'in') return
    const frame = parsedJson(text)
    if (!isJsonObject(frame)) return this.unknown.add('a frame that is no JSON object', text, seq)
    const channel = channelOf(path, frame)
    if (channel === undefined) return this.reply(frame, seq)
    const said = () => loggedFrame(path, text)
    const tally = this.tallyOf('push', channel.id, 'pushes what was declared')
    const flaw = frameFlaw(path, frame)?.message ?? null
    tally.judge(flaw, seq, said)
    const data = pushedData(frame)
    unknownParts(channel.id, channel.data, data, (part, found) =>
      this.unknown.add(part, found, seq),
    )
    if (flaw !== null) return
    this.coverage.listener.onFrame?.(path, frame)
    this.order(`${connection} ${channel.id}`, channel.id, { data, seq, said })
  }

  /** Results of all judged aspects. */
  results(): Result[] {
    const results = [...this.tallies.values()].map((tally) => tally.result())
    return results.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Pushes of one state never go back in time. */
  private order(
    socket: string,
    id: string,
    { data, seq, said }: { data: unknown; seq: number; said: () => Said[] },
  ): void {
    if (!isJsonObject(data)) return
    const time = timeOf(data)
    if (time === null) return
    const key = `${socket} ${data.coin ?? ''} ${data.interval ?? ''} ${data.nSigFigs ?? ''}`
    const before = this.lastTimes.get(key) ?? time
    this.lastTimes.set(key, time)
    const flaw = time >= before ? null : `${id}: a push is of ${time}, after one of ${before}`
    this.tallyOf('order', id, 'pushes in order of time').judge(flaw, seq, said)
  }

  private parts(operation: Operation, exchange: ProbeExchange, seq: number): void {
    const isBare = envelopeOf(operation, DEFAULT_ANSWERS).kind === 'bare'
    if (!isBare && !isSuccess(exchange)) return
    const data = isBare ? exchange.json : (exchange.json as { data?: unknown }).data
    unknownParts(operation.id, operation.data, data, (part, found) =>
      this.unknown.add(part, found, seq),
    )
  }

  private refusal(operation: Operation, { status, json }: ProbeExchange, seq: number): void {
    const code = isJsonObject(json) ? String(json.code ?? json.errorCode ?? '') : ''
    if (KNOWN_CODES.has(code || String(status))) return
    this.unknown.add(`a refusal of ${operation.id}`, { status, code }, seq)
  }

  private reply(frame: SocketFrame, seq: number): void {
    if (isPong(frame) || !('data' in frame) || typeof frame.channel !== 'string') return
    if (KNOWN_REPLIES.has(frame.channel)) return
    this.unknown.add(`the channel ${frame.channel}`, frame.data, seq)
  }

  private unknownParameters(operation: Operation, { query }: Fetched, seq: number): void {
    const known = new Set(parametersOf(operation).map(({ name }) => name))
    for (const [name, value] of query)
      if (!known.has(name)) this.unknown.add(`the parameter ${name} of ${operation.id}`, value, seq)
  }

  private tallyOf(respect: string, id: string, title: string): Tally {
    const key = `recorded.${respect}.${id}`
    const known = this.tallies.get(key)
    if (known) return known
    const checks = requirementsOf(id, respect === 'limit' ? 'limits' : 'answer')
    const tally = new Tally(key, `${id} ${title}, in everything that was recorded`, checks)
    this.tallies.set(key, tally)
    return tally
  }
}

const KNOWN_REPLIES = new Set(['subscriptionResponse', 'error', 'pong', 'post'])

const KNOWN_CODES = new Set(
  Object.values(REFUSALS).flatMap(({ status, code }) => [String(status), code]),
)

// Flaws of a recorded response to a request: pure functions.

/** Status, content type, envelope and schema. */
function formFlaw(operation: Operation, exchange: ProbeExchange): string | null {
  const assert = (condition: unknown, message: string) => {
    if (!condition) throw new CheckFailure(message)
  }
  try {
    judgeAnswer({ assert }, operation, exchange)
    return null
  } catch (error) {
    if (error instanceof CheckFailure) return error.message
    throw error
  }
}

/** Order of rows, numbers and times in a valid response. */
function contentFlaw(requested: Fetched, exchange: ProbeExchange): string | null {
  // A subject requested twice may be returned twice.
  const flaw = asksTwice(requested) ? null : answerFlaw(exchange)
  if (flaw !== null) return flaw.message
  const [number] = malformedNumbers(exchange.json)
  if (number !== undefined) return `a number is a plain decimal, not ${number}`
  const [time] = fractionalTimes(exchange.json)
  return time === undefined ? null : `a time is whole, not ${time}`
}

/** More rows than requested, or than the maximum; null where no number is stated. */
export function limitFlaw(
  operation: Operation,
  { query, body }: Fetched,
  { json }: ProbeExchange,
): string | null {
  const parameter = parametersOf(operation).find(({ schema }) => meaningOf(schema) === 'pageSize')
  if (parameter === undefined || !isJsonObject(json)) return null
  const rows = onlyList(json.data)
  const { name, schema } = parameter
  const given = isJsonObject(body) && name in body ? body[name] : new Map(query).get(name)
  const requested = Number(given ?? schema.default)
  const bound = Math.min(...[requested, Number(schema['x-cut'])].filter((one) => one >= 0))
  if (rows === null || rows.length <= bound) return null
  return `${rows.length} rows are at most ${bound} (${name} ${given ?? 'left out'})`
}

function asksTwice({ query, body }: Fetched): boolean {
  const lists = [...(isJsonObject(body) ? Object.values(body) : []), body].filter(Array.isArray)
  const texts = query.flatMap(([, value]) => (value.includes(',') ? [value.split(',')] : []))
  return [...lists, ...texts, query.map(String)].some(
    (list) => new Set(list.map((one) => JSON.stringify(one))).size < list.length,
  )
}

function onlyList(data: unknown): readonly unknown[] | null {
  if (Array.isArray(data)) return data
  const lists = isJsonObject(data) ? Object.values(data).filter(Array.isArray) : []
  return lists.length === 1 ? (lists[0] as unknown[]) : null
}
