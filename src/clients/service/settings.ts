/** What a client can be told. */
import type { SystemClock } from '../../clock/system-clock.ts'
import type { Checker } from './checking/checker.ts'
import type { ChannelName } from './contract/channels.ts'
import type { ConnectionError } from './errors.ts'
import type { Send } from './requests/request-sender.ts'
import type { Sign } from './requests/signer.ts'
import type { SocketLimits } from './streams/connection-pool.ts'
import type { StreamEvent } from './streams/subscription.ts'

/** Of which stream something is said. */
export interface StreamName {
  channel: ChannelName
  /** What was asked for: `{coin: 'BTC'}`. */
  subscription: Readonly<Record<string, unknown>>
}

export interface ClientSettings {
  /** Where the service is: `https://…`, `http://127.0.0.1:4010`, or the base URL of a sandbox. */
  baseUrl: string
  /** The same for sockets; made from `baseUrl` when left out. */
  wsBaseUrl?: string | undefined
  accessKey: string
  secretKey: string

  /** Longest wait for an answer, ms (10 000). */
  timeoutMs?: number | undefined
  /** How often a read is asked again when it fails in a way that passes (0); changes never are. */
  retries?: number | undefined
  /** Whether requests wait so that the rate is kept that the service's refusals teach (false). */
  limitsRate?: boolean | undefined
  /** Whether answers are checked by the contract's schemas (false). */
  checksAnswers?: boolean | undefined

  /** Whether pushes are checked by them: what fails is told and not passed on (true). */
  checksPushes?: boolean | undefined
  /** Whether what was missed is fetched (true). */
  backfills?: boolean | undefined
  /** Whether trades are counted against candles, a request a minute for each stream (false). */
  auditsTrades?: boolean | undefined
  /** How long any stream may be without news, ms; null for ever. By the channel when left out. */
  silentAfterMs?: number | null | undefined
  /** Longest wait for a connection to open, ms (10 000). */
  connectMs?: number | undefined
  /** Longest wait for a subscription to be acknowledged, ms (10 000); it is asked for twice. */
  acknowledgeMs?: number | undefined
  /** How many connections and subscriptions the key may hold; any number when left out. */
  socketLimits?: SocketLimits | undefined

  /** Called when a connection is lost or refused or gets an error; the client goes on by itself. */
  onConnectionError?: ((error: ConnectionError) => void) | undefined
  /** Called with what is said of any stream. */
  onStreamEvent?: ((event: StreamEvent, stream: StreamName) => void) | undefined
  /** Called with what a listener throws; written to the console when left out. */
  onListenerError?: ((error: unknown, channel: string) => void) | undefined

  /** A text that differs each time it is asked for. */
  nonce?: (() => string) | undefined
  /** Signs, where the runtime has no cryptography: `sign` of `tapewright/contract`. */
  sign?: Sign | undefined
  /** Time and timers; the machine's when left out. */
  systemClock?: SystemClock | undefined
  /** The class of sockets; the runtime's own, or `ws` on Node without one, when left out. */
  socketClass?: (new (url: string) => WebSocket) | undefined
  /** Sends requests; the runtime's own when left out. A ClientError that it throws is passed on. */
  send?: Send | undefined
  /** By what answers and pushes are checked: `contractChecker()`, which `client` has. */
  checker?: Checker | undefined
}

/** How long is waited before something is tried again. */
const START_MS = 250
const MAX_MS = 30_000

/**
 * Doubles each time, up to half a minute; a random value between half of it and all of it, so that
 * a thousand clients do not come back in the same second.
 *
 * @param attempt from 1
 * @param random in [0, 1)
 */
export function backoffMs(attempt: number, random: number): number {
  const fullMs = Math.min(MAX_MS, START_MS * 2 ** (attempt - 1))
  return fullMs * (0.5 + random / 2)
}
