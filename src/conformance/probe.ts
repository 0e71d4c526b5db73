/**
 * What a case looks at the target with. Every wait is bounded; what does not hold is thrown as a
 * CheckFailure, what cannot be looked at as a SkipCase.
 */
import type { Method } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import type { Credentials } from '../contract/signature.ts'
import { deniedPermission } from './denied-permission.ts'
import { foundOnce } from './found-once.ts'
import { passThrough } from './gate.ts'
import { parsedJson } from './parsed-json.ts'
import type { ProbeOptions } from './probe-options.ts'
import { ProbeSocket } from './probe-socket.ts'
import { isRateRefusal } from './rate-refusal.ts'
import { type RequestSignature, type SigningSource, signatureOf } from './request-signature.ts'
import { bodyOf, pathOf, type RequestText } from './request-text.ts'
import { type KeyRole, missingText, type Target, type TargetKey } from './target.ts'
import {
  isSocket,
  type TargetTransport,
  type TransportResponse,
  type TransportSocket,
} from './target-transport.ts'

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

export interface ProbeRequest extends RequestText, RequestSignature {
  /** GET unless given. */
  method?: Method
  /** That the caller has asked too often is an answer like any other. */
  allowRateLimit?: true
  /** It does not wait for its turn: what is looked at is how often one may ask. */
  atOnce?: true
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
    private readonly signing: SigningSource,
    private readonly options: ProbeOptions = {},
  ) {}

  /** Sends a request, again when it was one too many: what is answered is about the request. */
  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const { method = 'GET' } = request
    const received = await this.ask(request, async () => {
      const signed = this.sign(request)
      const inBody = request.signedIn === 'body'
      const path = pathOf(request, inBody ? {} : signed)
      const body = bodyOf(request, inBody ? signed : {})
      return this.transport.request({ method, path, ...(body ? { body } : {}) })
    })
    const exchange = { method, path: request.path, ...received, json: parsedJson(received.text) }
    this.exchanges.push(exchange)
    return exchange
  }

  /**
   * What is found once serves every case of a run: who and what there is at the target. What could
   * not be found is looked for again.
   */
  once<T>(name: string, look: () => Promise<T>): Promise<T> {
    return foundOnce(this.transport, name, look)
  }

  /** A socket; a CheckFailure when the target does not open one. */
  async connect(request: ProbeRequest): Promise<ProbeSocket> {
    const opened = await this.tryConnect(request)
    this.assert(opened instanceof ProbeSocket, `a signed socket opens on ${request.path}`, opened)
    return opened
  }

  /** A socket, or the answer that was given in place of one. */
  async tryConnect(request: ProbeRequest): Promise<ProbeSocket | ProbeExchange> {
    const opened = await this.ask(request, async () =>
      this.transport.connect(pathOf(request, this.sign(request))),
    )
    if (!isSocket(opened))
      return { method: 'GET', path: request.path, ...opened, json: parsedJson(opened.text) }
    const socket = new ProbeSocket(opened, this, this.target.replyMs)
    this.sockets.push(socket)
    return socket
  }

  /** Told of data that has the form of a schema. */
  onData(name: string, schema: TSchema, data: unknown): void {
    this.options.onData?.(name, schema, data)
  }

  /** How often what must agree is looked at again before it counts as different. */
  get retries(): number {
    return this.options.retries ?? RETRIES
  }

  /** Waits between two looks at the same. */
  async pause(ms: number): Promise<void> {
    await this.options.gate?.pause(ms)
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
    return this.target.keys[who] ?? this.skip(missingText(who, this.target))
  }

  /** Closes what was left open. */
  close(): void {
    for (const socket of this.sockets) socket.close()
  }

  /** Asks when it is its turn, and again after what says nothing of the request. */
  private async ask<T extends TransportResponse | TransportSocket>(
    { method = 'GET', signedIn, signedBy = 'full', allowRateLimit, atOnce }: ProbeRequest,
    send: () => Promise<T>,
  ): Promise<T> {
    if (signedIn !== 'nowhere') this.keyOf(signedBy)
    const gate = atOnce ? undefined : this.options.gate
    const received = await passThrough(gate, send, {
      mayRepeat: method === 'GET',
      allowRateLimit: allowRateLimit === true,
      nowMs: () => this.signing.nowS() * 1000,
    })
    if (!allowRateLimit && isRateRefusal(received)) this.skip('the target answers no more for now')
    const permission = signedBy === 'full' ? deniedPermission(received) : null
    if (permission !== null && (await this.options.lacks?.(permission)))
      this.skip(`the key lacks the permission ${permission}`)
    return received
  }

  private sign(request: ProbeRequest): Partial<Credentials> {
    if (request.signedIn === 'nowhere') return {}
    return signatureOf(request, this.keyOf(request.signedBy ?? 'full'), this.signing)
  }
}

/** So many times, with growing pauses: a quarter of a minute. */
const RETRIES = 12
