/**
 * A thread that watches the event loop from outside: it names what holds it, answers truthfully for
 * the health of the server on a port of its own, and ends a process that hangs.
 */
import path from 'node:path'
import type { SystemClock } from '../../clock/system-clock.ts'
import type { ThreadMonitor } from '../../clock/turns.ts'
import type { WorkAccount } from '../../clock/work-account.ts'
import { UserError } from '../../platform/user-error.ts'
import { Board, labelBytes } from './board.ts'

/** How often the event loop is to show that it comes round, ms. */
export const BEAT_MS = 250

/** What the watchdog is started with. */
export interface WatchdogSettings {
  /** The process ends when its event loop is held for so long, s; 0 is never. */
  hangLimitS: number
  /** Port on which the watchdog itself answers for the health of the server; null for none. */
  healthPort: number | null
  host: string
}

/** What its thread is sent first. */
export interface WatchdogOrder extends WatchdogSettings {
  buffer: SharedArrayBuffer
}

/** What its thread answers when it watches, or cannot. */
export interface WatchdogAnswer {
  flaw?: string | null
}

interface Watched {
  systemClock: SystemClock
  /** Told what has the thread from now on. */
  turns: { monitor: ThreadMonitor | null }
  isReady: () => boolean
  /** Signals were reset while the thread was held: they are to be heard again. */
  restoreSignals: () => void
}

/** Watches the process until the result is called; a UserError when its port cannot be had. */
export async function startWatchdog(
  watched: Watched,
  settings: WatchdogSettings,
): Promise<() => void> {
  const { systemClock, turns, isReady, restoreSignals } = watched
  const board = new Board()
  // Without a suffix: it is a source beside sources, and built beside what is built.
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

/** Writes on the board whose work has the thread. */
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
