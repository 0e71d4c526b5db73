/**
 * What a case looks at the target with. Every wait is bounded; what does not hold is thrown as a
 * CheckFailure, what cannot be looked at as a SkipCase.
 */
import { type Evidence, evidenceAfter, hasValues } from './answer-content.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import type { Flaw } from './flaw.ts'
import { lookedUpOnce } from './lookups-of-run.ts'
import type { ProbeOptions } from './probe-options.ts'
import type { ProbeExchange, ProbeRequest, SigningSource } from './probe-request.ts'
import { ProbeSocket, type SocketFrame } from './probe-socket.ts'
import type { KeyRole, OtherTarget, Target, TargetKey } from './target.ts'
import { TargetCaller } from './target-caller.ts'
import type { TargetTransport } from './target-transport.ts'

export class Probe {
  /** What has been said to it that it could find wrong. */
  evidence: Evidence = 'nothing'
  private readonly sockets: ProbeSocket[] = []
  private isClosed = false
  private readonly caller: TargetCaller
  private readonly signing: SigningSource

  constructor(
    readonly target: Target,
    private readonly transport: TargetTransport,
    private readonly machine: SigningSource,
    private readonly options: ProbeOptions = {},
  ) {
    const { nowMs } = target
    this.signing = nowMs ? { ...machine, nowS: () => Math.floor(nowMs() / 1000) } : machine
    this.caller = new TargetCaller({ target, transport, signing: this.signing, options })
  }

  /**
   * For finding out whom and what to ask about. What is answered there is not what the case is to
   * judge, and what is wrong there skips it: other cases tell.
   */
  get lookup(): Probe {
    const { declarations: _, ...options } = this.options
    return new LookupProbe(this.target, this.transport, this.machine, options)
  }

  /** The same case at another target, which it has to judge as well. */
  at({ target, transport }: OtherTarget): Probe {
    return new Probe(target, transport, this.machine, this.options)
  }

  /** Says that the case judges this, which a lookup has found. */
  judges(value: unknown): void {
    if (hasValues(value)) this.evidence = 'values'
  }

  /** Sends a request, again when it was one too many: what is answered is about the request. */
  async request(request: ProbeRequest): Promise<ProbeExchange> {
    const exchange = await this.caller.request(request)
    this.weigh(exchange)
    this.options.onAnswer?.(exchange)
    this.judge(this.options.declarations?.answerFlaw(exchange))
    return exchange
  }

  /**
   * What is found once serves every case of a run: who and what there is at the target. What could
   * not be found is looked for again.
   */
  once<T>(name: string, look: (lookup: Probe) => Promise<T>): Promise<T> {
    return lookedUpOnce(this.transport, name, () => look(this.lookup))
  }

  /** A socket; a CheckFailure when the target does not open one. */
  async connect(request: ProbeRequest): Promise<ProbeSocket> {
    const opened = await this.tryConnect(request)
    this.assert(opened instanceof ProbeSocket, `a signed socket opens on ${request.path}`, opened)
    return opened
  }

  /** A socket, or the answer that was given in place of one. */
  async tryConnect(request: ProbeRequest): Promise<ProbeSocket | ProbeExchange> {
    const opened = await this.caller.connect(request)
    if ('json' in opened) {
      this.weigh(opened)
      return opened
    }
    const { gate, declarations } = this.options
    const listener = {
      onFrame: (frame: SocketFrame) => {
        this.options.onFrame?.(request.path, frame)
        this.judge(declarations?.frameFlaw(request.path, frame))
      },
      onFlood: (flaw: string) => gate?.flooded(`${request.path}: ${flaw}`),
    }
    const socket = new ProbeSocket(opened, this, listener, this.target.replyMs, this.machine.nowS)
    this.sockets.push(socket)
    if (this.isClosed) socket.close()
    return socket
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
    if (!condition) throw new CheckFailure(message, evidence)
  }

  /** One that no other request has, unless it is given to more than one. */
  newNonce(): string {
    return this.signing.nonce()
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

  /** Lets so much time pass, or without a control plane as much of it as there is patience for. */
  async waitUpTo(ms: number): Promise<void> {
    const { control, patienceMs } = this.target
    await this.letTimePass(control ? ms : Math.min(ms, patienceMs))
  }

  /**
   * Lets time pass in spans, and listens after each, until there is enough or they are over.
   * Without a control plane they are as long as there is patience for, and all of them take no
   * longer than that, or than one span.
   */
  async listenUntil(
    isEnough: () => boolean,
    listen: () => Promise<void>,
    { spanMs, spans }: { spanMs: number; spans: number },
  ): Promise<void> {
    const { control, patienceMs } = this.target
    const longestMs = Math.max(spanMs, patienceMs)
    const affordable = control ? spans : Math.floor(longestMs / Math.min(spanMs, patienceMs))
    for (let span = 0; span < Math.min(spans, affordable) && !isEnough(); span++) {
      await this.waitUpTo(spanMs)
      await listen()
    }
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
    return this.caller.keyOf(who)
  }

  /** Closes what was left open. */
  close(): void {
    this.isClosed = true
    for (const socket of this.sockets) socket.close()
  }

  private judge(flaw: Flaw | null = null): void {
    this.assert(flaw === null, flaw?.message ?? '', flaw?.evidence)
  }

  private weigh({ status, json }: Pick<ProbeExchange, 'status' | 'json'>): void {
    this.evidence = evidenceAfter(this.evidence, status, json)
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

/** So many times, with growing pauses: a quarter of a minute. */
const RETRIES = 12
