/**
 * What a case looks at the target with. Every wait is bounded; what does not hold is thrown as a
 * CheckFailure, what cannot be looked at as a SkipCase.
 */
import { PREFIXES } from '../contract/index.ts'
import type { Method } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import { type Credentials, credentials } from '../contract/signature.ts'
import { ProbeSocket } from './probe-socket.ts'
import type { KeyRole, Target, TargetKey } from './target.ts'
import { isSocket, type TargetTransport } from './target-transport.ts'

/** Something that must hold does not. */
export class CheckFailure extends Error {
  constructor(
    message: string,
    readonly evidence?: unknown,
  ) {
    super(message)
  }
}

/** It cannot be found out here, and why. */
export class SkipCase extends Error {}

export interface SigningSource {
  nowS(): number
  nonce(): string
  wait?(ms: number): Promise<void>
}

export interface ProbeRequest {
  /** GET unless given. */
  method?: Method
  /** Below the prefix: `/hl/tickers`. */
  path: string
  prefix?: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** A value that becomes JSON, or text as it is. */
  body?: unknown
  /** Who signs; `full` unless given. */
  signedBy?: KeyRole | TargetKey
  /** How old the signature is, s. */
  ageS?: number
  /** What is sent in place of the right credentials. */
  tamper?: (right: Credentials, key: TargetKey) => Partial<Credentials>
  /** Where the credentials stand; in the query unless given. */
  signedIn?: 'query' | 'body' | 'nowhere'
  /** That the caller has asked too often is an answer like any other. */
  allowRateLimit?: true
}

export interface ProbeExchange {
  method: Method
  path: string
  status: number
  contentType: string
  /** When to ask again, where the answer message so. */
  retryAfter?: string
  text: string
  /** undefined for what is not JSON. */
  json: unknown
}

export class Probe {
  /** What was asked and answered, in order. */
  readonly exchanges: ProbeExchange[] = []
  private readonly sockets: ProbeSocket[] = []

  constructor(
    readonly target: Target,
    private readonly transport: TargetTransport,
    /** Present time for signatures, s, text for nonces, and how to wait. */
    private readonly signing: SigningSource,
    /** Told of data that has the form of a schema. */
    readonly onData: (name: string, schema: TSchema, data: unknown) => void = () => {},
  ) {}

  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const { method = 'GET' } = request
    const signed = this.sign(request)
    const inBody = request.signedIn === 'body'
    const path = pathOf(request, inBody ? {} : signed)
    const body = bodyOf(request, inBody ? signed : {})
    const received = await this.transport.request({ method, path, ...(body ? { body } : {}) })
    const exchange = { method, path: request.path, ...received, json: parsed(received.text) }
    this.exchanges.push(exchange)
    if (!request.allowRateLimit && isTooMany(exchange))
      this.skip('the target answers no more for now')
    return exchange
  }

  /**
   * What is found once serves every case of a run: who and what there is at the target. What could
   * not be found is looked for again.
   */
  once<T>(name: string, look: () => Promise<T>): Promise<T> {
    const known = found.get(this.transport) ?? new Map<string, Promise<unknown>>()
    found.set(this.transport, known)
    const earlier = known.get(name) as Promise<T> | undefined
    if (earlier) return earlier
    const looked = look()
    known.set(name, looked)
    looked.catch(() => known.delete(name))
    return looked
  }

  /** A socket; a CheckFailure when the target does not open one. */
  async connect(request: ProbeRequest): Promise<ProbeSocket> {
    const opened = await this.tryConnect(request)
    this.assert(opened instanceof ProbeSocket, `a signed socket opens on ${request.path}`, opened)
    return opened
  }

  /** A socket, or the answer that was given in place of one. */
  async tryConnect(request: ProbeRequest): Promise<ProbeSocket | ProbeExchange> {
    const opened = await this.transport.connect(pathOf(request, this.sign(request)))
    if (!isSocket(opened))
      return { method: 'GET', path: request.path, ...opened, json: parsed(opened.text) }
    const socket = new ProbeSocket(opened, this)
    this.sockets.push(socket)
    return socket
  }

  /** Throws a CheckFailure when it does not hold. */
  assert(condition: unknown, message: string, evidence?: unknown): asserts condition {
    if (!condition) throw new CheckFailure(message, evidence ?? this.exchanges.at(-1))
  }

  skip(why: string): never {
    throw new SkipCase(why)
  }

  /** Lets the time of the target pass: by its control plane, or by patience. */
  async letTimePass(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    if (control) return control.advance(ms)
    const { wait } = this.signing
    if (ms > patienceMs || !wait)
      this.skip(`it takes ${ms / 1000} s, for which the patience is too short`)
    await wait(ms)
  }

  /**
   * Holds the time of the target where it can be held: what takes long here takes none there.
   * Answers with whether it is held.
   */
  async holdTime(): Promise<boolean> {
    await this.target.control?.advance(0)
    return this.target.control !== undefined
  }

  keyOf(who: KeyRole | TargetKey): TargetKey {
    if (typeof who !== 'string') return who
    return this.target.keys[who] ?? this.skip(`no ${who} key was given`)
  }

  /** Closes what was left open. */
  close(): void {
    for (const socket of this.sockets) socket.close()
  }

  private sign({
    signedBy = 'full',
    ageS = 0,
    tamper,
    signedIn,
  }: ProbeRequest): Partial<Credentials> {
    if (signedIn === 'nowhere') return {}
    const key = this.keyOf(signedBy)
    const right = credentials({
      ...key,
      nonce: this.signing.nonce(),
      timestampS: this.signing.nowS() - ageS,
    })
    return tamper?.(right, key) ?? right
  }
}

const found = new WeakMap<TargetTransport, Map<string, Promise<unknown>>>()

function pathOf({ path, prefix, query }: ProbeRequest, signed: Partial<Credentials>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one))
  for (const [name, value] of Object.entries(signed)) given.append(name, value)
  const text = given.toString()
  return `${prefix ?? PREFIXES[0]}${path}${text === '' ? '' : `?${text}`}`
}

function bodyOf({ body }: ProbeRequest, signed: Partial<Credentials>): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return JSON.stringify(Array.isArray(body) ? body : { ...(body as object), ...signed })
}

/** The forms in which a service was seen to say that it is asked too often (open). */
const isTooMany = ({ status, text }: ProbeExchange) =>
  status === 429 || /"(code|errorCode)":"?429\b|请求过于频繁/.test(text.slice(0, 500))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
