/**
 * A client of the contract. It signs, takes answers out of their envelopes and throws typed
 * errors; its sockets sign again and subscribe again when they are lost.
 */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { PREFIXES } from '../contract/prefixes.ts'
import { randomSource } from '../random/random-source.ts'
import type { OperationCall } from './contract-call.ts'
import { OPERATION_CALLS } from './contract-calls.ts'
import type {
  Contract,
  DataOf,
  InputOf,
  PushOf,
  Streams,
  SubscriptionOf,
} from './contract-types.ts'
import { ClientError, ConnectionError } from './errors.ts'
import { type CallParameters, type OutgoingRequest, requestOf } from './request.ts'
import { readResponse } from './response.ts'
import { signer } from './signer.ts'
import { ConnectionPool } from './socket/connection-pool.ts'
import type { Listener, Subscription } from './socket/subscription.ts'

export interface ClientSettings {
  /** Where the service is: `https://…`, `http://127.0.0.1:4010`, or the base URL of a sandbox. */
  baseUrl: string
  /** The same for sockets; made from `baseUrl` when left out. */
  wsBaseUrl?: string
  accessKey: string
  secretKey: string
  /** Longest wait for an answer, ms (10 000). */
  timeoutMs?: number
  /** A text that differs each time it is asked for. */
  nonce?: () => string
  /** Called when a connection is lost or refused or gets an error; the client goes on by itself. */
  onConnectionError?: (error: ConnectionError) => void
  /** Time and timers; the machine's when left out. */
  systemClock?: SystemClock
  /** Sends requests; the runtime's own when left out. A ClientError that it throws is passed on. */
  send?: (url: string, init: RequestInit) => Promise<Response>
}

/** One function for each operation, `client.perpdex.fillsOfAddress({path, query, body})`. */
export type Client = {
  [G in keyof Contract]: { [N in keyof Contract[G]]: OperationMethod<Contract[G][N]> }
} & {
  /** Follows a channel: `client.subscribe('l2Book', {coin: 'BTC'}, (book, {stale}) => …)`. */
  subscribe<C extends keyof Streams>(
    channel: C,
    wanted: SubscriptionOf<Streams[C]>,
    listener: Listener<PushOf<Streams[C]>>,
  ): Subscription
  /** Closes every connection. */
  close(): void
}

type OperationMethod<O> =
  Record<never, never> extends InputOf<O>
    ? (input?: InputOf<O>) => Promise<DataOf<O>>
    : (input: InputOf<O>) => Promise<DataOf<O>>

/** A client of one key. */
export function client(settings: ClientSettings): Client {
  const systemClock = settings.systemClock ?? hostClock
  const sign = signer(settings, systemClock, settings.nonce)
  const base = settings.baseUrl.replace(/\/+$/, '')
  const wsBase = (settings.wsBaseUrl ?? base.replace(/^http/, 'ws')).replace(/\/+$/, '')
  const sendRequest = requestSender(settings, base, systemClock)
  const connections = new ConnectionPool({
    urlOf: (path, query) => `${wsBase}${PREFIXES[0]}${path}?${query}`,
    sign,
    systemClock,
    random: randomSource(systemClock.nowMs(), 'client').unit,
    onError: settings.onConnectionError ?? (() => {}),
  })
  const call =
    (operation: OperationCall) =>
    async (parameters: CallParameters = {}) =>
      readResponse(
        operation,
        await sendRequest(operation, requestOf(operation, parameters, sign())),
      )
  return {
    ...eachOperation(call),
    subscribe: connections.subscribe.bind(connections),
    close: () => connections.close(),
  } as unknown as Client
}

function eachOperation(call: (operation: OperationCall) => unknown): object {
  const groups = Object.entries(OPERATION_CALLS).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, call(operation)]),
    ),
  ])
  return Object.fromEntries(groups)
}

/** Sends a request and reads its text, all of it within the time. */
function requestSender(
  { timeoutMs = 10_000, send = fetch }: ClientSettings,
  base: string,
  systemClock: SystemClock,
) {
  return async ({ id }: OperationCall, { target, ...init }: OutgoingRequest) => {
    const abort = new AbortController()
    const cancel = systemClock.startTimer(timeoutMs, () => abort.abort())
    try {
      const response = await send(`${base}${PREFIXES[0]}${target}`, {
        ...init,
        signal: abort.signal,
      })
      const { status, headers } = response
      const text = await response.text()
      return {
        status,
        text,
        type: headers.get('content-type'),
        retryAfter: headers.get(RETRY_AFTER),
      }
    } catch (cause) {
      if (cause instanceof ClientError) throw cause
      const timedOut = `no answer within ${timeoutMs} ms`
      throw new ConnectionError(id, abort.signal.aborted ? timedOut : reason(cause, base), {
        cause,
      })
    } finally {
      cancel()
    }
  }
}

const RETRY_AFTER = 'retry-after'

/** The runtime's error code without the address, which has the signature in it. */
function reason(cause: unknown, base: string): string {
  const { code } = cause as { code?: string }
  return `${base} cannot be reached${code === undefined ? '' : ` (${code})`}`
}
