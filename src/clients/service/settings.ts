/** The settings of a client. */
import type { SystemClock } from '../../clock/system-clock.ts'
import type { Checker } from './checking/checker.ts'
import type { ChannelName } from './contract/channels.ts'
import type { ConnectionError } from './errors.ts'
import type { ExplainRefusal, Send, Sign } from './requests/request-sender.ts'
import type { SocketLimits } from './streams/connection-pool.ts'
import type { StreamEvent } from './streams/subscription.ts'

/** The stream of an event. */
export interface StreamName {
  channel: ChannelName
  /** The subscription as requested: `{coin: 'BTC'}`. */
  subscription: Readonly<Record<string, unknown>>
}

export interface ClientSettings {
  /** Base URL of the service: `https://…`, `http://127.0.0.1:4010`, or that of a sandbox. */
  baseUrl: string
  /** Base URL for sockets; derived from `baseUrl` by default. */
  wsBaseUrl?: string | undefined
  accessKey: string
  secretKey: string

  /** Longest wait for an answer, ms (10 000). */
  timeoutMs?: number | undefined
  /** Maximum retries of a read after a temporary failure (0); changes are never retried. */
  retries?: number | undefined
  /** Whether requests wait to keep the rate learnt from the service's refusals (false). */
  limitsRate?: boolean | undefined
  /** Whether answers are checked by the contract's schemas (false). */
  checksAnswers?: boolean | undefined

  /** Whether pushes are checked by them: invalid ones are reported and not passed on (true). */
  checksPushes?: boolean | undefined
  /** Whether missed elements are fetched (true). */
  backfills?: boolean | undefined
  /** Whether trades are counted against candles, a request a minute for each stream (false). */
  auditsTrades?: boolean | undefined
  /** Time without news until any stream is silent, ms; null for never. By channel by default. */
  silentAfterMs?: number | null | undefined
  /** Longest wait for a connection to open, ms (10 000). */
  connectMs?: number | undefined
  /** Longest wait for the acknowledgement of a subscription, ms (10 000); it is requested twice. */
  acknowledgeMs?: number | undefined
  /** Maximum number of connections and subscriptions of the key; unlimited by default. */
  socketLimits?: SocketLimits | undefined

  /** Called when a connection is lost, refused or gets an error; the client reconnects. */
  onConnectionError?: ((error: ConnectionError) => void) | undefined
  /** Called with the events of any stream. */
  onStreamEvent?: ((event: StreamEvent, stream: StreamName) => void) | undefined
  /** Called with errors of listeners; written to the console by default. */
  onListenerError?: ((error: unknown, channel: string) => void) | undefined

  /** Unique text of each signature. */
  nonce?: (() => string) | undefined
  /** Signs, where the runtime has no cryptography: `sign` of `tapewright/contract`. */
  sign?: Sign | undefined
  /** Time and timers; the machine's by default. */
  systemClock?: SystemClock | undefined
  /** The class of sockets; by default the runtime's own, or `ws` on Node without one. */
  socketClass?: (new (url: string) => WebSocket) | undefined
  /** Sends requests; `fetch` by default. A ClientError that it throws is passed on. */
  send?: Send | undefined
  /** Why a request was refused, for the message of its error; `createSandbox` sets it. */
  explainRefusal?: ExplainRefusal | undefined
  /** Checks answers and pushes: `contractChecker()`, which `client` has. */
  checker?: Checker | undefined
}

/** Delays between attempts. */
const START_MS = 250
const MAX_MS = 30_000

/**
 * The delay before a retry. Doubles each time, up to half a minute; random between half of it and
 * all of it, so that a thousand clients do not return in the same second.
 *
 * @param attempt from 1
 * @param random in [0, 1)
 */
export function backoffMs(attempt: number, random: number): number {
  const fullMs = Math.min(MAX_MS, START_MS * 2 ** (attempt - 1))
  return fullMs * (0.5 + random / 2)
}
