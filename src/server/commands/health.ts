/** `tapewright health`: whether a server is ready, for supervisors. */
import { hostClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Run } from './command.ts'
import type { HEALTH } from './health/declaration.ts'

/** Asks until the server is ready or the time is over; then a UserError gives the reason. */
export const health: Run<typeof HEALTH> = async ({ flags: { port, wait }, rest: [named] }) => {
  const origin = named ?? `http://127.0.0.1:${port}`
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin))
    throw new UserError(`${origin} is not an address: write it as http://127.0.0.1:4010`)
  const untilMs = hostClock.monotonicMs() + 1000 * wait
  for (;;) {
    const flaw = await flawOf(new URL('/_control/health', origin))
    if (flaw === null) break
    if (hostClock.monotonicMs() >= untilMs)
      throw new UserError(`the server at ${origin} is not ready: ${flaw}`)
    await new Promise<void>((resume) => hostClock.startTimer(PAUSE_MS, resume))
  }
  console.log(`the server at ${origin} is ready`)
  return 0
}

/** Why it is not ready; null when it is. */
async function flawOf(url: URL): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    if (answer.ok) return null
    const { why } = (await answer.json().catch(() => ({}))) as { why?: unknown }
    return why === undefined ? `it answers with status ${answer.status}` : String(why)
  } catch {
    return 'it does not answer; start it with tapewright serve'
  }
}

const PAUSE_MS = 200
const ANSWER_MS = 5_000
