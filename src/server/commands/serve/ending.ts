/** The shutdown of `serve`: on a signal, in good order, with everything stored. */

import { hostClock } from '../../../clock/system-clock.ts'
import { VERSION } from '../../../platform/version.ts'
import { jsonResponse } from '../../../sandbox/pipeline/http-message.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { digestLine } from '../../control/operations/digest.ts'
import {
  CONTROL_PATH,
  earlyRefusal,
  splitUrl,
  toControlResponse,
} from '../../transport/elysia/http-response.ts'
import type { server } from '../../transport/elysia/server.ts'
import { restoreDefault } from '../../watchdog/system-signals.ts'

/** The parts started so far. */
export interface Started {
  registry: Registry
  store: { close(): void } | null
  app: ReturnType<typeof server> | null
  /** Where its pages are, from when the port is open. */
  origin?: string
  stopWatchdog?: () => void
  stopWatching?: () => void
}

/** Time for pending responses, and for sockets to send their frames, ms. */
const GRACE_MS = 5000

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * The same signal within this time is a duplicate: a supervisor sends it to the process and to `bun
 * start` above it, which passes it on.
 */
const ECHO_MS = 100

export const STDIN_ENDED = 'standard input has ended'

/** Why it ends. */
type EndReason = NodeJS.Signals | typeof STDIN_ENDED

/**
 * Resolves with the first SIGTERM or SIGINT. From then on a signal ends the program at once by the
 * system's default, also when its one thread is busy.
 *
 * @param untilStdinEnds whether the end of standard input counts as well
 */
export function endSignal(untilStdinEnds: boolean): Promise<EndReason> {
  return new Promise((resolve) => {
    if (untilStdinEnds) void stdinEnd().then(() => resolve(STDIN_ENDED))
    const onSignal = (signal: (typeof SIGNALS)[number]) => {
      for (const name of SIGNALS) if (name !== signal) release(name)
      hostClock.startTimer(ECHO_MS, () => release(signal))
      resolve(signal)
    }
    const release = (name: (typeof SIGNALS)[number]) => {
      process.off(name, onSignal)
      // The runtime leaves the handler where the watchdog's goes before its own.
      restoreDefault(name)
    }
    for (const name of SIGNALS) process.on(name, onSignal)
  })
}

/** Registers the signal listeners again, after the system's default was restored. */
export function restoreSignalListeners(): void {
  for (const name of SIGNALS)
    for (const listener of process.listeners(name)) {
      process.off(name, listener)
      process.on(name, listener)
    }
}

/** The input is ignored: only its end counts. */
async function stdinEnd(): Promise<void> {
  for await (const _ of Bun.stdin.stream());
}

/** Ends the started parts; returns the exit code. */
export async function end(
  { registry, store, app, stopWatchdog, stopWatching }: Started,
  reason: EndReason,
  { log, digest }: { log: (line: string) => void; digest: boolean },
): Promise<number> {
  log(`${reason}: ending; answers in flight have ${GRACE_MS / 1000} s, another signal ends at once`)
  stopWatching?.()
  const endWaiting = () => {
    for (const sandbox of registry.list()) sandbox.stopListeners.notify('ending')
  }
  const unfinished = app ? await shutDown(app, endWaiting, GRACE_MS) : NOTHING
  if (unfinished.requests + unfinished.sockets > 0)
    log(`cut off after ${GRACE_MS / 1000} s: ${unfinishedText(unfinished)}`)
  if (digest) for (const sandbox of registry.list()) log(digestLine(sandbox))
  try {
    for (const { changes } of registry.list()) changes.commitProgress()
    return 0
  } catch (error) {
    log(`clocks and counts could not be stored at shutdown: ${(error as Error).message}`)
    return 1
  } finally {
    stopWatchdog?.()
    registry.close()
    store?.close()
  }
}

const NOTHING: Unfinished = { requests: 0, sockets: 0 }

const unfinishedText = ({ requests, sockets }: Unfinished) =>
  `requests not answered ${requests}, sockets not closed ${sockets}`

// Graceful shutdown of a server.

/** The pending work that was cut off. */
interface Unfinished {
  requests: number
  sockets: number
}

/**
 * Takes no more connections, refuses further requests on open ones, and waits for pending responses
 * and the closing of sockets; after `graceMs` the rest is cut off.
 *
 * @param endWaiting closes the sockets and ends waiting calls
 */
async function shutDown(
  app: ReturnType<typeof server>,
  endWaiting: () => void,
  graceMs: number,
): Promise<Unfinished> {
  const { server: listening } = app
  if (!listening) return { requests: 0, sockets: 0 }
  const untilMs = hostClock.monotonicMs() + graceMs
  const unfinished = (): Unfinished => ({
    requests: listening.pendingRequests,
    sockets: listening.pendingWebSockets,
  })
  listening.reload({ routes: {}, fetch: refuseEnding })
  // Its promise would also wait for idle connections.
  void listening.stop(false)
  endWaiting()
  while (hasAny(unfinished()) && hostClock.monotonicMs() < untilMs)
    await new Promise<void>((resume) => hostClock.startTimer(POLL_MS, resume))
  const left = unfinished()
  await listening.stop(true)
  return left
}

const POLL_MS = 5

const hasAny = ({ requests, sockets }: Unfinished) => requests + sockets > 0

function refuseEnding({ url }: Request) {
  const { pathname } = splitUrl(url)
  const headers = { connection: 'close' }
  return pathname === `${CONTROL_PATH}/health`
    ? toControlResponse(jsonResponse(503, JSON.stringify(ENDING_HEALTH), headers))
    : earlyRefusal(pathname, 503, ENDING, headers)
}

const ENDING = 'the server is ending'
const ENDING_HEALTH = { live: true, ready: false, why: ENDING, version: VERSION }
