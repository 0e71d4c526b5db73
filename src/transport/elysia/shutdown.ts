/** Stopping a server without cutting anybody off who is being answered. */
import { hostClock } from '../../clock/system-clock.ts'
import { jsonResponse } from '../../pipeline/http-message.ts'
import { VERSION } from '../../version.ts'
import { CONTROL_PATH, earlyRefusal, splitUrl, toControlResponse } from './http-response.ts'
import type { server } from './server.ts'

/** What had not finished when its time was over, and was cut off. */
export interface Unfinished {
  requests: number
  sockets: number
}

/**
 * Takes no more connections, refuses further requests on those that are open, and waits until what
 * is being answered has been and sockets are closed; after `graceMs` the rest is cut off.
 *
 * @param endWaiting closes the sockets and ends what would wait on
 */
export async function shutDown(
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
  // Its promise waits for connections without a request as well, for as long as these may be idle.
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
