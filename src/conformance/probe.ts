/**
 * What a case looks at the target with. Every wait is bounded; what does not hold is thrown as a
 * CheckFailure, what cannot be looked at as a SkipCase.
 */
import type { Method } from '../contract/operation.ts'
import { type Credentials, credentials } from '../contract/signature.ts'
import { type Evidence, evidenceAfter, hasValues, isTooMany } from './answer-content.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { ProbeSocket, type SocketFrame } from './probe-socket.ts'
import { bodyText, pathText, readJson } from './request-text.ts'
import type { KeyRole, Target, TargetKey, TargetPlace } from './target.ts'
import { isSocket, type TargetTransport } from './target-transport.ts'

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

/** Told of what is answered and pushed. */
export interface ProbeListener {
  onAnswer?(exchange: ProbeExchange): void
  onFrame?(path: string, frame: SocketFrame): void
}

export class Probe {
  /** What was asked and answered, in order. */
  exchanges: ProbeExchange[] = []
  /** What has been said to it that it could find wrong. */
  evidence: Evidence = 'nothing'
  private readonly sockets: ProbeSocket[] = []

  constructor(
    readonly target: Target,
    private readonly transport: TargetTransport,
    /** Present time for signatures, s, text for nonces, and how to wait. */
    private readonly signing: SigningSource,
    /** Told of everything, also of lookups. */
    private readonly listener: ProbeListener = {},
  ) {}

  /**
   * For finding out whom and what to ask about. What is answered there is not what the case is to
   * judge, and what is wrong there skips it: other cases tell.
   */
  get lookup(): Probe {
    const lookup = new LookupProbe(this.target, this.transport, this.signing, this.listener)
    lookup.exchanges = this.exchanges
    return lookup
  }

  /** The same case at another target, which it has to judge as well. */
  at({ target, transport }: TargetPlace): Probe {
    const other = new Probe(target, transport, this.signing, this.listener)
    other.exchanges = this.exchanges
    return other
  }

  /** Says that the case judges this, which a lookup has found. */
  judges(value: unknown): void {
    if (hasValues(value)) this.evidence = 'values'
  }

  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const { method = 'GET' } = request
    const signed = this.sign(request)
    const inBody = request.signedIn === 'body'
    const path = pathText(request, inBody ? {} : signed)
    const body = bodyText(request.body, inBody ? signed : {})
    const received = await this.transport.request({ method, path, ...(body ? { body } : {}) })
    const exchange = { method, path: request.path, ...received, json: readJson(received.text) }
    this.exchanges.push(exchange)
    this.weigh(exchange.status, exchange.json)
    this.listener.onAnswer?.(exchange)
    if (!request.allowRateLimit && isTooMany(received.status, received.text))
      this.skip('the target answers no more for now')
    return exchange
  }

  /** A socket; a CheckFailure when the target does not open one. */
  async connect(request: ProbeRequest): Promise<ProbeSocket> {
    const opened = await this.tryConnect(request)
    this.assert(opened instanceof ProbeSocket, `a signed socket opens on ${request.path}`, opened)
    return opened
  }

  /** A socket, or the answer that was given in place of one. */
  async tryConnect(request: ProbeRequest): Promise<ProbeSocket | ProbeExchange> {
    const opened = await this.transport.connect(pathText(request, this.sign(request)))
    if (!isSocket(opened)) {
      const json = readJson(opened.text)
      this.weigh(opened.status, json)
      return { method: 'GET', path: request.path, ...opened, json }
    }
    const { onFrame } = this.listener
    const socket = new ProbeSocket(opened, this, (frame) => onFrame?.(request.path, frame))
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

  /** Holds the target's time where it can be: what takes long here takes none there. */
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

  private weigh(status: number, json: unknown): void {
    this.evidence = evidenceAfter(this.evidence, status, json)
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

class LookupProbe extends Probe {
  override get lookup(): Probe {
    return this
  }

  override assert(condition: unknown, message: string): asserts condition {
    if (!condition) this.skip(`nothing to ask about can be found: ${message}`)
  }
}
