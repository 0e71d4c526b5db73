/** Answers the suite's requests from a recording of equal ones. */

import { meaningOf } from '../../contract/meaning.ts'
import type { Method } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import { QUESTIONS, type QuestionId } from '../../contract/questions.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'
import { isSigned } from '../../contract/signature-check.ts'
import { operationAt } from '../answer-content.ts'
import { SkipCase } from '../case-outcome.ts'
import { type Observations, observeQuestion, sortedObservations } from '../observation.ts'
import { Probe } from '../probe.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { isJsonObject, isSuccess, parsedJson } from '../responses.ts'
import type { TargetKey } from '../target.ts'
import type { TargetTransport, TransportResponse, TransportSocket } from '../target-transport.ts'

/** Maximum number of exchanges kept. */
const KEPT_MAX = 20_000

/** Maximum number of messages of a socket kept, and of sockets. */
const [MESSAGES_MAX, SOCKETS_MAX] = [5_000, 50]

/** A client message, and the pushes until its next one. */
interface Turn {
  said: string
  reported: string[]
}

export class RecordedAnswers {
  private readonly exact = new Map<string, RecordedExchange[]>()
  /** Successful responses by request without its subject. */
  private readonly alike = new Map<string, RecordedExchange[]>()
  private readonly subjects = new Set<string>()
  private readonly sockets = new Map<number, { path: string; turns: Turn[]; count: number }>()
  private kept = 0

  /** Adds an exchange. */
  add(recorded: RecordedExchange): void {
    const requested = requestedFor(recorded.method, recorded.url, recorded.requestBody)
    if (requested === null || this.kept >= KEPT_MAX) return
    this.kept++
    push(this.exact, keyOf(requested), recorded)
    if (!isSuccess(probeExchange(requested, recorded))) return
    push(this.alike, keyOf(withoutSubjects(requested)), recorded)
    for (const subject of subjectsOf(requested)) this.subjects.add(subject)
  }

  opened(connection: number, url: string): void {
    const requested = requestedFor('GET', url)
    if (requested === null || this.sockets.size >= SOCKETS_MAX) return
    this.sockets.set(connection, { path: requested.path, turns: [], count: 0 })
  }

  message(connection: number, direction: 'in' | 'out', text: string): void {
    const socket = this.sockets.get(connection)
    if (socket === undefined || socket.count++ >= MESSAGES_MAX) return
    if (direction === 'in') socket.turns.push({ said: canonical(text), reported: [] })
    else socket.turns.at(-1)?.reported.push(text)
  }

  /**
   * The responses to a request in order: to an equal one, or to one about another subject known to
   * exist.
   */
  to(requested: Fetched): readonly RecordedExchange[] {
    const same = this.exact.get(keyOf(requested))
    if (same !== undefined) return same
    if (!subjectsOf(requested).every((one) => this.subjects.has(one))) return []
    return this.alike.get(keyOf(withoutSubjects(requested))) ?? []
  }

  /** Frames on sockets of a path after a client message. */
  after(path: string, said: string): readonly string[] | null {
    const text = canonical(said)
    for (const socket of this.sockets.values())
      if (socket.path === path)
        for (const turn of socket.turns) if (turn.said === text) return turn.reported
    return null
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const keyOf = ({ method, path, query, body }: Fetched): string =>
  JSON.stringify([method, path, [...query].sort(), ordered(body)])

const SUBJECTS: readonly unknown[] = ['coin', 'address', 'symbol']

/** Subject values of a request. */
function subjectsOf(requested: Fetched): string[] {
  const operation = operationAt(requested.method, requested.path)
  if (operation === undefined) return []
  return parametersOf(operation).flatMap(({ place, name, schema }) => {
    if (!SUBJECTS.includes(meaningOf(schema))) return []
    if (place === 'path') return [segment(operation.path, name, requested.path)]
    if (place === 'query')
      return requested.query.filter(([one]) => one === name).map(([, of]) => of)
    return isJsonObject(requested.body) && name in requested.body
      ? [String(requested.body[name])]
      : []
  })
}

/** The same with placeholders for the subjects. */
function withoutSubjects(requested: Fetched): Fetched {
  const subjects = new Set(subjectsOf(requested))
  const blank = (value: string) => (subjects.has(value) ? '' : value)
  const { method, path, query, body } = requested
  return {
    method,
    path: path.split('/').map(blank).join('/'),
    query: query.map(([name, value]) => [name, blank(value)]),
    body: isJsonObject(body)
      ? Object.fromEntries(
          Object.entries(body).map(([name, value]) => [
            name,
            typeof value === 'string' ? blank(value) : value,
          ]),
        )
      : body,
  }
}

/** The part of a path at `:name` in its pattern. */
function segment(pattern: string, name: string, path: string): string {
  const at = pattern.split('/').indexOf(`:${name}`)
  return path.split('/')[at] ?? ''
}

/** JSON with sorted fields; other text unchanged. */
function canonical(text: string): string {
  try {
    return JSON.stringify(ordered(JSON.parse(text)))
  } catch {
    return text
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isJsonObject(value)) return value ?? null
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

// Recorded client traffic, as far as it can be judged.

/** A request and its response. */
export interface RecordedExchange {
  /** Number of its event in the tape. */
  seq: number
  method: string
  /** Path and query. */
  url: string
  requestBody: string
  status: number
  headers: Readonly<Record<string, string>>
  responseBody: string
}

/** A socket message. */
export interface RecordedMessage {
  seq: number
  connection: number
  /** in: from the client. */
  direction: 'in' | 'out'
  text: string
}

/** A request without credentials. */
export interface Fetched {
  method: Method
  /** Below the prefix. */
  path: string
  query: [name: string, value: string][]
  /** JSON of the body without credentials; undefined for none. */
  body: unknown
}

/** The request of a recorded exchange; null below no prefix of the contract. */
export function requestedFor(method: string, url: string, body = ''): Fetched | null {
  const [path = '', ...rest] = url.split('?')
  const below = splitSandboxBase(path).path
  const prefix = PREFIXES.find((one) => below.startsWith(`${one}/`))
  if (prefix === undefined) return null
  const query = [...new URLSearchParams(rest.join('?'))].filter(([name]) => !isCredential(name))
  return {
    method: method as Method,
    path: below.slice(prefix.length),
    query,
    body: withoutCredentials(parsedJson(body)),
  }
}

/** An exchange in the suite's form. */
export function probeExchange(
  { method, path }: Fetched,
  { status, headers, responseBody: text }: RecordedExchange,
): ProbeExchange {
  const contentType = headers['content-type'] ?? ''
  return { method, path, status, contentType, text, json: parsedJson(text) }
}

const isCredential = (name: string): boolean =>
  (CREDENTIAL_NAMES as readonly string[]).includes(name)

function withoutCredentials(body: unknown): unknown {
  if (!isJsonObject(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isCredential(name)))
}

/** Observes a recorded service's answers to the open questions, as far as recorded. */
export async function observeRecording(answers: RecordedAnswers): Promise<Observations> {
  const seen: (readonly [QuestionId, Awaited<ReturnType<typeof observeQuestion>>])[] = []
  for (const id of Object.keys(QUESTIONS) as QuestionId[]) {
    // A separate target per question, as observers use up responses.
    let nonces = 0
    const signing = { nowS: () => NOW_S, nonce: () => String(nonces++) }
    const target = { keys: { full: UNSIGNED_KEY }, patienceMs: 0 }
    const probe = new Probe(target, new RecordedTransport(answers, signing.nowS), signing, {
      retries: 0,
    })
    seen.push([id, await observeQuestion(id, probe)])
    probe.close()
  }
  return sortedObservations(seen)
}

/** Arbitrary: it is not compared with recorded times. */
const NOW_S = 1_700_000_000

// A recording as a target: it answers recorded requests, and skips all others.

/** An arbitrary key. */
const UNSIGNED_KEY: TargetKey = { accessKey: 'recording', secretKey: 'recording' }

/** Each response is used once, so that two reads never see the same one. */
class RecordedTransport implements TargetTransport {
  private readonly given = new Map<unknown, number>()
  private readonly nonces = new Set<string>()
  private hasSocket = false

  /** @param nowS time of signatures */
  constructor(
    private readonly answers: RecordedAnswers,
    private readonly nowS: () => number,
  ) {}

  async request(sent: { method: string; path: string; body?: string }): Promise<TransportResponse> {
    const requested = this.ordinary(sent.method, sent.path, sent.body)
    const found = this.answers.to(requested)
    const at = this.given.get(found) ?? 0
    const recorded = found[at]
    if (recorded === undefined) throw new SkipCase(absent(requested, at))
    this.given.set(found, at + 1)
    const { status, headers, responseBody: text } = recorded
    return { status, contentType: headers['content-type'] ?? '', text }
  }

  async connect(path: string): Promise<TransportSocket> {
    const requested = this.ordinary('GET', path)
    // A limit of sockets was never tested in a recording.
    if (this.hasSocket) throw new SkipCase('the recording answers on one socket at a time')
    this.hasSocket = true
    const after = (said: string) => this.answers.after(requested.path, said)
    return new ReportedSocket(after, () => {
      this.hasSocket = false
    })
  }

  /** Unusual signatures test their refusal, which a recording does not contain. */
  private ordinary(method: string, path: string, body?: string): Fetched {
    const query = new URLSearchParams(path.split('?')[1])
    const given = (name: string) => query.get(name) ?? ''
    const signed = {
      AccessKeyId: given('AccessKeyId'),
      SignatureNonce: given('SignatureNonce'),
      Timestamp: given('Timestamp'),
      Signature: given('Signature'),
    }
    const isFresh = Number(signed.Timestamp) === this.nowS()
    const isNew = !this.nonces.has(signed.SignatureNonce)
    this.nonces.add(signed.SignatureNonce)
    const requested = requestedFor(method, path, body)
    const isUnsigned = signed.AccessKeyId === UNSIGNED_KEY.accessKey
    if (requested && isUnsigned && isFresh && isNew && isSigned(signed, UNSIGNED_KEY.secretKey))
      return requested
    throw new SkipCase('it needs an unusual signature')
  }
}

const absent = ({ method, path }: Fetched, given: number): string =>
  given > 0
    ? `the recording has only ${given} of ${method} ${path}`
    : `the recording has no such ${method} ${path}`

/** Replays the frames after an equal message. */
class ReportedSocket implements TransportSocket {
  readonly frames: string[] = []
  readonly closeCode = null

  constructor(
    private readonly after: (said: string) => readonly string[] | null,
    readonly close: () => void,
  ) {}

  send(data: string | Uint8Array): void {
    const reported = typeof data === 'string' ? this.after(data) : null
    if (reported === null) throw new SkipCase('the recording has no socket with this message')
    this.frames.push(...reported)
  }

  async waitForActivity(): Promise<void> {
    if (this.frames.length === 0) throw new SkipCase('nothing more was received on that socket')
  }
}
