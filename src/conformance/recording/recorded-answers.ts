/** What a recording would answer to what the suite asks: the same requests, found again. */

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

/** Exchanges that are kept to answer from. */
const KEPT_MAX = 20_000

/** Messages of a socket that are kept, and sockets. */
const [MESSAGES_MAX, SOCKETS_MAX] = [5_000, 50]

/** What a client said, and what it was told until it said something else. */
interface Turn {
  said: string
  told: string[]
}

export class RecordedAnswers {
  private readonly exact = new Map<string, RecordedExchange[]>()
  /** Answers of success by what was asked but for whom or what it was about. */
  private readonly alike = new Map<string, RecordedExchange[]>()
  private readonly subjects = new Set<string>()
  private readonly sockets = new Map<number, { path: string; turns: Turn[]; count: number }>()
  private kept = 0

  /** Keeps an exchange to answer from. */
  add(recorded: RecordedExchange): void {
    const asked = askedFor(recorded.method, recorded.url, recorded.requestBody)
    if (asked === null || this.kept >= KEPT_MAX) return
    this.kept++
    push(this.exact, keyOf(asked), recorded)
    if (!isSuccess(probeExchange(asked, recorded))) return
    push(this.alike, keyOf(withoutSubjects(asked)), recorded)
    for (const subject of subjectsOf(asked)) this.subjects.add(subject)
  }

  opened(connection: number, url: string): void {
    const asked = askedFor('GET', url)
    if (asked === null || this.sockets.size >= SOCKETS_MAX) return
    this.sockets.set(connection, { path: asked.path, turns: [], count: 0 })
  }

  message(connection: number, direction: 'in' | 'out', text: string): void {
    const socket = this.sockets.get(connection)
    if (socket === undefined || socket.count++ >= MESSAGES_MAX) return
    if (direction === 'in') socket.turns.push({ said: canonical(text), told: [] })
    else socket.turns.at(-1)?.told.push(text)
  }

  /**
   * The answers to a request in the order in which they came: to the same one, or to one about
   * something else of which the recording knows that it is there.
   */
  to(asked: Asked): readonly RecordedExchange[] {
    const same = this.exact.get(keyOf(asked))
    if (same !== undefined) return same
    if (!subjectsOf(asked).every((one) => this.subjects.has(one))) return []
    return this.alike.get(keyOf(withoutSubjects(asked))) ?? []
  }

  /** What was told on sockets of a path after this was said. */
  after(path: string, said: string): readonly string[] | null {
    const text = canonical(said)
    for (const socket of this.sockets.values())
      if (socket.path === path)
        for (const turn of socket.turns) if (turn.said === text) return turn.told
    return null
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const keyOf = ({ method, path, query, body }: Asked): string =>
  JSON.stringify([method, path, [...query].sort(), ordered(body)])

const SUBJECTS: readonly unknown[] = ['coin', 'address', 'symbol']

/** The values that say whom or what it is about. */
function subjectsOf(asked: Asked): string[] {
  const operation = operationAt(asked.method, asked.path)
  if (operation === undefined) return []
  return parametersOf(operation).flatMap(({ place, name, schema }) => {
    if (!SUBJECTS.includes(meaningOf(schema))) return []
    if (place === 'path') return [segment(operation.path, name, asked.path)]
    if (place === 'query') return asked.query.filter(([one]) => one === name).map(([, of]) => of)
    return isJsonObject(asked.body) && name in asked.body ? [String(asked.body[name])] : []
  })
}

/** The same with a blank in place of each of those. */
function withoutSubjects(asked: Asked): Asked {
  const subjects = new Set(subjectsOf(asked))
  const blank = (value: string) => (subjects.has(value) ? '' : value)
  const { method, path, query, body } = asked
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

/** What stands in a path where its pattern has `:name`. */
function segment(pattern: string, name: string, path: string): string {
  const at = pattern.split('/').indexOf(`:${name}`)
  return path.split('/')[at] ?? ''
}

/** JSON whatever the order of its fields; other text as it is. */
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

// What a recording has of a client's traffic, as far as it can be judged.

/** A request and its answer. */
export interface RecordedExchange {
  /** Its number on the tape. */
  seq: number
  method: string
  /** Path and query. */
  url: string
  requestBody: string
  status: number
  headers: Readonly<Record<string, string>>
  responseBody: string
}

/** A message on a socket. */
export interface RecordedMessage {
  seq: number
  connection: number
  /** in: the client sent it. */
  direction: 'in' | 'out'
  text: string
}

/** What was asked for, without who asked. */
export interface Asked {
  method: Method
  /** Below the prefix. */
  path: string
  query: [name: string, value: string][]
  /** JSON of the body without credentials; undefined for none. */
  body: unknown
}

/** What a request of a recording asked for; null where it is below no prefix of the contract. */
export function askedFor(method: string, url: string, body = ''): Asked | null {
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

/** An exchange as the suite judges one. */
export function probeExchange(
  { method, path }: Asked,
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

/** How the recorded service answers the open questions, as far as its recording shows it. */
export async function observeRecording(answers: RecordedAnswers): Promise<Observations> {
  const seen: (readonly [QuestionId, Awaited<ReturnType<typeof observeQuestion>>])[] = []
  for (const id of Object.keys(QUESTIONS) as QuestionId[]) {
    // A target of its own for each: what one question has used up, another may ask.
    let nonces = 0
    const signing = { nowS: () => NOW_S, nonce: () => String(nonces++) }
    const target = { keys: { full: NOBODY }, patienceMs: 0 }
    const probe = new Probe(target, new RecordedTransport(answers, signing.nowS), signing, {
      retries: 0,
    })
    seen.push([id, await observeQuestion(id, probe)])
    probe.close()
  }
  return sortedObservations(seen)
}

/** Any will do: nothing of it is compared with recorded times. */
const NOW_S = 1_700_000_000

// A target that is a recording: it answers what was asked there, and says nothing of all else.

/** Who asks; nobody has this key. */
const NOBODY: TargetKey = { accessKey: 'recording', secretKey: 'recording' }

/** Each answer is given once: what looks twice must not take one for two. */
class RecordedTransport implements TargetTransport {
  private readonly given = new Map<unknown, number>()
  private readonly nonces = new Set<string>()
  private hasSocket = false

  /** @param nowS by which requests are signed */
  constructor(
    private readonly answers: RecordedAnswers,
    private readonly nowS: () => number,
  ) {}

  async request(sent: { method: string; path: string; body?: string }): Promise<TransportResponse> {
    const asked = this.ordinary(sent.method, sent.path, sent.body)
    const found = this.answers.to(asked)
    const at = this.given.get(found) ?? 0
    const recorded = found[at]
    if (recorded === undefined) throw new SkipCase(absent(asked, at))
    this.given.set(found, at + 1)
    const { status, headers, responseBody: text } = recorded
    return { status, contentType: headers['content-type'] ?? '', text }
  }

  async connect(path: string): Promise<TransportSocket> {
    const asked = this.ordinary('GET', path)
    // How many the service would open, nobody has asked.
    if (this.hasSocket) throw new SkipCase('the recording answers on one socket at a time')
    this.hasSocket = true
    const after = (said: string) => this.answers.after(asked.path, said)
    return new ToldSocket(after, () => {
      this.hasSocket = false
    })
  }

  /** What is signed in another way than clients sign is asked to see what becomes of that. */
  private ordinary(method: string, path: string, body?: string): Asked {
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
    const asked = askedFor(method, path, body)
    const isByNobody = signed.AccessKeyId === NOBODY.accessKey
    if (asked && isByNobody && isFresh && isNew && isSigned(signed, NOBODY.secretKey)) return asked
    throw new SkipCase('it takes a request that is signed in a way of its own')
  }
}

const absent = ({ method, path }: Asked, given: number): string =>
  given > 0
    ? `the recording has only ${given} of ${method} ${path}`
    : `the recording has no ${method} ${path} that is asked so`

/** Tells what was told after the same words. */
class ToldSocket implements TransportSocket {
  readonly frames: string[] = []
  readonly closeCode = null

  constructor(
    private readonly after: (said: string) => readonly string[] | null,
    readonly close: () => void,
  ) {}

  send(data: string | Uint8Array): void {
    const told = typeof data === 'string' ? this.after(data) : null
    if (told === null) throw new SkipCase('the recording has no socket on which that is said')
    this.frames.push(...told)
  }

  async waitForActivity(): Promise<void> {
    if (this.frames.length === 0) throw new SkipCase('nothing more was told on that socket')
  }
}
