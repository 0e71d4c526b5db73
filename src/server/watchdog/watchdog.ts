/**
 * A thread that watches the event loop from outside: it names what blocks it, answers health checks
 * on a port of its own, and ends a process that hangs.
 */
import path from 'node:path'
import type { SystemClock } from '../../clock/system-clock.ts'
import type { ThreadMonitor, WorkAccount } from '../../clock/turns.ts'
import { UserError } from '../../platform/user-error.ts'
import { Board, labelBytes } from './board.ts'

/** Interval of the event loop's beats, ms. */
export const BEAT_MS = 250

/** The settings of the watchdog. */
export interface WatchdogSettings {
  /** Blocked time after which the process ends, s; 0 is never. */
  hangLimitS: number
  /** Port for health checks by the watchdog itself; null for none. */
  healthPort: number | null
  host: string
}

/** The first message to its thread. */
export interface WatchdogOrder extends WatchdogSettings {
  buffer: SharedArrayBuffer
}

/** The thread's answer once it watches, or cannot. */
export interface WatchdogAnswer {
  flaw?: string | null
}

interface Watched {
  systemClock: SystemClock
  /** Notified of the running work from now on. */
  turns: { monitor: ThreadMonitor | null }
  isReady: () => boolean
  /** Signals were reset while the thread was blocked: their listeners are to be restored. */
  restoreSignals: () => void
}

/** Watches the process until the result is called; a UserError when its port is not available. */
export async function startWatchdog(
  watched: Watched,
  settings: WatchdogSettings,
): Promise<() => void> {
  const { systemClock, turns, isReady, restoreSignals } = watched
  const board = new Board()
  // Without a suffix: it is a source beside sources, and built beside built files.
  const worker = new Worker(path.join(import.meta.dir, 'watchdog-worker'), { smol: true })
  const order: WatchdogOrder = { ...settings, buffer: board.buffer }
  const answered = new Promise<WatchdogAnswer>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => resolve({ flaw: message })
  })
  worker.postMessage(order)
  worker.unref()
  // Without a port there is nothing to wait for: most servers start without it.
  const { flaw = null } = settings.healthPort === null ? {} : await answered
  if (flaw !== null)
    throw new UserError(`--health-port ${settings.healthPort} cannot be listened on: ${flaw}`)
  let cancel = () => {}
  const beat = () => {
    if (board.takeSignalsReset()) restoreSignals()
    board.noteBeat(isReady())
    cancel = systemClock.startTimer(BEAT_MS, beat)
  }
  beat()
  turns.monitor = new BoardMonitor(board)
  return () => {
    cancel()
    turns.monitor = null
    worker.terminate()
  }
}

/** Writes the label of the running work on the board. */
class BoardMonitor implements ThreadMonitor {
  private readonly labels = new WeakMap<WorkAccount, Map<string, Uint8Array>>()

  constructor(private readonly board: Board) {}

  begin(account: WorkAccount, what: string): void {
    this.board.begin(this.labelOf(account, what))
  }

  end(): void {
    this.board.end()
  }

  private labelOf(account: WorkAccount, what: string): Uint8Array {
    const known = this.labels.get(account) ?? new Map<string, Uint8Array>()
    this.labels.set(account, known)
    const label = known.get(what) ?? labelBytes(labelText(account.name, what))
    known.set(what, label)
    return label
  }
}

const labelText = (name: string | null, what: string) =>
  name === null ? what : `${what} of sandbox "${name}"`
