import { hostClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'

/** Long enough for a busy server, short enough for whoever waits. */
const IDLE_MS = 60_000

/** What comes, or a `UserError` when nothing has come in `idleMs`. */
export async function withinIdleTime<T>(
  name: string,
  idleMs: number | undefined,
  coming: Promise<T>,
): Promise<T> {
  const limitMs = idleMs ?? IDLE_MS
  let cancel = () => {}
  const silence = new Promise<never>((_, reject) => {
    const say = `${name}: nothing has come for ${limitMs / 1000} s: try again`
    cancel = hostClock.startTimer(limitMs, () => reject(new UserError(say)))
  })
  try {
    return await Promise.race([coming, silence])
  } finally {
    cancel()
    coming.catch(() => {})
  }
}
