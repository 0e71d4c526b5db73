/**
 * A client of the contract with the given groups. It signs, unwraps envelopes and throws typed
 * errors; lost sockets are signed and subscribed again.
 */

import { hostClock, type SystemClock } from '../../clock/system-clock.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import { webSocketClass } from '../../platform/web-socket.ts'
import { randomUnits } from '../../random/random-source.ts'
import type { Checker } from './checking/checker.ts'
import { CHANNEL_LINES, type ChannelName, type ChannelTypes } from './contract/channels.ts'
import type { Contract } from './contract-types.ts'
import { AnswerError, ClientError, ConnectionError, ServiceError } from './errors.ts'
import type { CallOptions } from './requests/request.ts'
import {
  type CallParameters,
  type CallsOf,
  type OperationCall,
  operationCall,
  requestOf,
} from './requests/request.ts'
import {
  pause,
  RateLimiter,
  RequestSender,
  type Signer,
  signer,
  TimeoutError,
} from './requests/request-sender.ts'
import { type ReceivedResponse, readResponse } from './requests/response.ts'
import type { ClientSettings } from './settings.ts'
import { backoffMs } from './settings.ts'
import { ConnectionPool } from './streams/connection-pool.ts'
import type { UpgradeRefusal } from './streams/reconnecting-socket.ts'
import type { StreamSettings } from './streams/stream.ts'
import type { Listener, SubscribeOptions, Subscription } from './streams/subscription.ts'
import { channelCall } from './streams/subscription.ts'

// The offset of the service's clock from the machine's, learnt from refusals.

/** A signature is valid for 30 s: a smaller difference is not the reason of a refusal. */
const SKEW_LEAST_MS = 20_000

/** The result of the signature check that an answer shows; unknown if it was given earlier. */
type SignatureVerdict = 'accepted' | 'refused' | 'unknown'

/** The answer to a signed request. */
interface SignedAnswer {
  verdict: SignatureVerdict
  /** Of the `Date` header. */
  date: string | null
}

class ClockSkew {
  /** Added to the machine's time: an offset that the service has accepted. */
  offsetMs = 0

  constructor(private readonly systemClock: SystemClock) {}

  /**
   * Sends with the known offset; where that is refused and the answer's `Date` shows another clock,
   * once more by that. A refusal may have other reasons, and many requests may be refused at once:
   * so each tries for itself, and others follow only an accepted offset.
   *
   * @param ask signs by the machine's time plus an offset, ms, and sends
   */
  async corrected<T extends SignedAnswer>(ask: (offsetMs: number) => Promise<T>): Promise<T> {
    const usedMs = this.offsetMs
    const first = await ask(usedMs)
    const otherMs = first.verdict === 'refused' ? this.otherThan(usedMs, first.date) : null
    if (otherMs === null) return first
    const second = await ask(otherMs)
    if (second.verdict === 'accepted') this.offsetMs = otherMs
    return second
  }

  /** Another offset to sign by; null where the clock is not the reason of the refusal. */
  private otherThan(usedMs: number, date: string | null): number | null {
    const shownMs = date === null ? Number.NaN : Date.parse(date) - this.systemClock.nowMs()
    if (Number.isNaN(shownMs)) return null
    if (Math.abs(shownMs - usedMs) > SKEW_LEAST_MS) return shownMs
    // Refused by the service's own clock: it checks signatures by another one than it shows.
    return usedMs === 0 ? null : 0
  }
}

/** The answer to a signed request, with its data. */
interface SignedResponse extends SignedAnswer {
  /** The data, or throws what `readResponse` throws. */
  read: () => unknown
}

function signedResponse(
  operation: Pick<OperationCall, 'id' | 'isBare'>,
  received: ReceivedResponse,
): SignedResponse {
  const { date } = received
  try {
    const data = readResponse(operation, received)
    return { date, verdict: 'accepted', read: () => data }
  } catch (error) {
    const read = () => {
      throw error
    }
    return { date, verdict: verdictOf(error), read }
  }
}

/** Refusals under load tell nothing: they may come before the signature is checked. */
function verdictOf(error: unknown): SignatureVerdict {
  const isRefusal = error instanceof ServiceError || error instanceof AnswerError
  const kind = isRefusal ? error.kind : null
  if (kind === 'signature') return 'refused'
  return kind === null || BEFORE_SIGNATURES.has(kind) ? 'unknown' : 'accepted'
}

const BEFORE_SIGNATURES: ReadonlySet<string> = new Set(['rate', 'unavailable', 'fault'])

// The way of a call: admitted, signed, sent, read, checked; retried if configured.

/** A longer wait is left to the caller. */
const RETRY_WAIT_MAX_MS = 60_000

interface OperationCallerSettings {
  sender: RequestSender
  sign: Signer
  skew: ClockSkew
  limiter: RateLimiter | null
  checker: Checker | null
  systemClock: SystemClock
  /** A number in [0, 1). */
  random: () => number
  closing: AbortSignal
  timeoutMs: number
  retries: number
  checksAnswers: boolean
}

class OperationCaller {
  constructor(private readonly settings: OperationCallerSettings) {}

  /** The data of the answer. A changing operation is sent once, whatever `retries` is. */
  async call(
    operation: OperationCall,
    parameters: CallParameters = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const retries = operation.changes ? 0 : (options.retries ?? this.settings.retries)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(operation, parameters, options)
      } catch (error) {
        const waitMs = attempt > retries ? null : this.waitMs(error, attempt)
        if (waitMs === null) throw error
        await pause(this.settings.systemClock, waitMs, this.ending(options))
      }
    }
  }

  private async once(
    operation: OperationCall,
    parameters: CallParameters,
    options: CallOptions,
  ): Promise<unknown> {
    const { limiter, checker, checksAnswers } = this.settings
    if (limiter) await limiter.admitted(this.ending(options))
    try {
      const data = await this.answered(operation, parameters, options)
      limiter?.answered()
      if (options.checked ?? checksAnswers) checker?.check(operation, parameters, data)
      return data
    } catch (error) {
      if (isRefusal(error) && error.kind === 'rate') limiter?.refused(error.retryAfterS)
      throw error
    }
  }

  private async answered(
    operation: OperationCall,
    parameters: CallParameters,
    options: CallOptions,
  ): Promise<unknown> {
    const { sender, sign, skew, timeoutMs } = this.settings
    const { signal } = options
    const sending = { timeoutMs: options.timeoutMs ?? timeoutMs, signal }
    const { read } = await skew.corrected(async (offsetMs) => {
      const signed = async () => requestOf(operation, parameters, await sign(offsetMs))
      return signedResponse(operation, await sender.send(operation.id, signed, sending))
    })
    return read()
  }

  /** Ends waiting: the caller's signal, or the closing of the client. */
  private ending({ signal }: CallOptions): AbortSignal {
    const { closing } = this.settings
    return signal ? AbortSignal.any([signal, closing]) : closing
  }

  /** null where a retry does not help, or makes it worse. */
  private waitMs(error: unknown, attempt: number): number | null {
    if (error instanceof TimeoutError || this.settings.closing.aborted) return null
    if (!(error instanceof ConnectionError || isRefusal(error))) return null
    const ownMs = backoffMs(attempt, this.settings.random())
    if (error instanceof ConnectionError) return ownMs
    if (error instanceof ServiceError && !PASSING.has(error.kind)) return null
    const waitMs = Math.max(ownMs, (error.retryAfterS ?? 0) * 1000)
    return waitMs > RETRY_WAIT_MAX_MS ? null : waitMs
  }
}

const PASSING: ReadonlySet<string> = new Set(['rate', 'unavailable', 'fault'])

const isRefusal = (error: unknown): error is ServiceError | AnswerError =>
  error instanceof ServiceError || error instanceof AnswerError

/** The methods of a client besides its groups of operations. */
export interface StreamCalls {
  /**
   * Follows a channel: `subscribe('l2Book', {coin: 'BTC'}, (book, {stale}) => …)`, or `for await
   * (const {data} of subscribe('l2Book', {coin: 'BTC'}))`.
   */
  subscribe<C extends ChannelName>(
    channel: C,
    wanted: ChannelTypes[C]['subscription'],
    listener?: Listener<ChannelTypes[C]['data']> | null,
    options?: SubscribeOptions,
  ): Subscription<ChannelTypes[C]['data']>
  /**
   * Ends requests, waits and connections. Later calls are refused, with `why` where it is given.
   */
  close(why?: ClientError): void
}

/** Groups of operations by their names: `{ perpdex }`. */
export type Groups = {
  readonly [G in keyof Contract]?: { readonly [N in keyof Contract[G]]: string }
}

/** One function for each operation, `client.perpdex.fillsOfAddress({path, query, body})`. */
export type ClientOf<G extends Groups> = { readonly [N in keyof G]: CallsOf<G[N]> } & StreamCalls

/** Creates a client of one key, with the given operations only: a page bundles no others. */
export function clientOf<G extends Groups>(groups: G, settings: ClientSettings): ClientOf<G> {
  const closing = new AbortController()
  const { caller, pool } = connected(settings, closing.signal)
  const calls = Object.entries(groups).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations as Record<string, string>).map(([name, line]) => {
        const operation = operationCall(`${group}.${name}`, line)
        return [
          name,
          (parameters?: CallParameters, options?: CallOptions) =>
            caller.call(operation, parameters, options),
        ]
      }),
    ),
  ])
  return {
    ...Object.fromEntries(calls),
    subscribe(channel: ChannelName, wanted: object, listener = null, options = {}) {
      const line = CHANNEL_LINES[channel]
      if (line === undefined) throw new ClientError(String(channel), 'there is no such channel')
      return pool.subscribe(channelCall(channel, line), wanted, listener, options)
    },
    close(why = new ConnectionError('client', 'the client is closed')) {
      pool.close()
      closing.abort(why)
    },
  } as ClientOf<G>
}

function connected(settings: ClientSettings, closing: AbortSignal) {
  const { systemClock = hostClock, checker = null, send = fetch, limitsRate = false } = settings
  const base = settings.baseUrl.replace(/\/+$/, '')
  const skew = new ClockSkew(systemClock)
  const { accessKey, secretKey, nonce } = settings
  const sign = signer({ accessKey, secretKey, systemClock, nonce, sign: settings.sign })
  const { explainRefusal } = settings
  const sender = new RequestSender({ base, secretKey, send, explainRefusal, systemClock, closing })
  const random = randomUnits(systemClock.nowMs())
  const caller = new OperationCaller({
    sender,
    sign,
    skew,
    checker,
    systemClock,
    random,
    closing,
    limiter: limitsRate ? new RateLimiter(systemClock) : null,
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    retries: settings.retries ?? 0,
    checksAnswers: settings.checksAnswers ?? false,
  })
  const pool = new ConnectionPool({
    stream: streamSettings(settings, { caller, checker, systemClock, skew }),
    connection: {
      ...socketAddresses(settings, { base, sign, sender, skew }),
      socketClass: () => settings.socketClass ?? webSocketClass(),
      systemClock,
      random,
      connectMs: settings.connectMs ?? TIMEOUT_MS,
      acknowledgeMs: settings.acknowledgeMs ?? TIMEOUT_MS,
      onError: settings.onConnectionError ?? (() => {}),
    },
    socketLimits: settings.socketLimits ?? null,
    onListenerError: settings.onListenerError ?? listenerFailed,
  })
  return { caller, pool }
}

const TIMEOUT_MS = 10_000

/** The listener is user code, so its error is reported and not thrown. */
const listenerFailed = (error: unknown, channel: string) =>
  console.error(`${channel}: a listener has thrown`, error)

/** The shared parts of a client's streams, from its settings. */
interface ClientParts {
  caller: OperationCaller
  checker: Checker | null
  systemClock: SystemClock
  skew: ClockSkew
}

function streamSettings(
  settings: ClientSettings,
  { caller, checker, systemClock, skew }: ClientParts,
): StreamSettings {
  const { checksPushes = true, backfills = true, auditsTrades = false } = settings
  const { silentAfterMs, onStreamEvent } = settings
  // The market's time may differ from the machine's: it continues from the newest push.
  let latest: { serviceMs: number; monotonicMs: number } | null = null
  return {
    systemClock,
    checker: checksPushes ? checker : null,
    ask: backfills ? (operation, ...rest) => caller.call(operation, ...rest) : null,
    auditor: auditsTrades ? checker : null,
    silentAfterMs,
    serviceMs: () =>
      latest === null
        ? systemClock.nowMs() + skew.offsetMs
        : latest.serviceMs + systemClock.monotonicMs() - latest.monotonicMs,
    onServiceMs(serviceMs) {
      if (latest === null || serviceMs > latest.serviceMs)
        latest = { serviceMs, monotonicMs: systemClock.monotonicMs() }
    },
    onEvent: (stream, event) => {
      const { channel, fields } = stream
      onStreamEvent?.(event, { channel: channel.id as ChannelName, subscription: fields })
    },
  }
}

/** The addresses of sockets, signed anew for each connection, and the reason of a refused one. */
interface SocketAccess {
  base: string
  sign: Signer
  sender: RequestSender
  skew: ClockSkew
}

/** The address of an upgrade; by HTTP the reason of a refusal, as a socket reports only 1006. */
function socketAddresses(
  { wsBaseUrl, connectMs = 10_000 }: ClientSettings,
  { base, sign, sender, skew }: SocketAccess,
) {
  const wsBase = (wsBaseUrl ?? base.replace(/^http/, 'ws')).replace(/\/+$/, '')
  const targetOf = async (path: string, dex: string, offsetMs: number) => {
    const query = new URLSearchParams({ ...(await sign(offsetMs)) })
    if (dex !== '') query.set('dex', dex)
    return `${path}?${query}`
  }
  return {
    urlOf: async (path: string, dex: string) =>
      `${wsBase}${PREFIXES[0]}${await targetOf(path, dex, skew.offsetMs)}`,
    async refusalOf(path: string, dex: string): Promise<UpgradeRefusal | null> {
      try {
        const { read } = await skew.corrected(async (offsetMs) => {
          const target = await targetOf(path, dex, offsetMs)
          const signed = async () => ({ method: 'GET', target, headers: {} })
          const operation = { id: path, isBare: false }
          return signedResponse(
            operation,
            await sender.send(path, signed, { timeoutMs: connectMs }),
          )
        })
        return refusalOf(read)
      } catch {
        // It cannot be reached by HTTP either, which tells no more than the socket.
        return null
      }
    },
  }
}

function refusalOf(read: () => unknown): UpgradeRefusal | null {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof AnswerError)) throw error
    const { kind, retryAfterS } = error
    if (kind === null || !OF_UPGRADES.has(kind)) return null
    const isFinal = kind === 'permission'
    return { error, retryAfterS, isFinal, isOfCaller: isFinal || kind === 'signature' }
  }
  return null
}

/** Refusals of a socket's path to a plain request without an upgrade. */
const OF_UPGRADES: ReadonlySet<string> = new Set([
  'signature',
  'permission',
  'rate',
  'quota',
  'unavailable',
  'fault',
])
