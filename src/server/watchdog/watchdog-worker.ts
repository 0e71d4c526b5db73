/**
 * The thread of the watchdog. It counts the processor time of the main thread, or its own ticks
 * while that is blocked: a sleeping or busy machine is no hang.
 */
import { readFileSync, writeSync } from 'node:fs'
import { hostClock } from '../../clock/system-clock.ts'
import { VERSION } from '../../platform/version.ts'
import { Board } from './board.ts'
import { exitAtOnce, restoreDefault, SIGNAL_NUMBERS, signalRecord } from './system-signals.ts'
import { BEAT_MS, type WatchdogAnswer, type WatchdogOrder } from './watchdog.ts'

/** Time without a round of the event loop after which a line is written, ms. */
const REPORT_MS = 2_000
/** Time after which health reports that the server is not live, ms. */
const NOT_LIVE_MS = 5_000
/** Time after which a signal that arrived in the block ends the process by itself, ms. */
const OBEYED_MS = 5_000
/** Exit code of a hung process: that of an internal error. */
const HUNG_CODE = 70

declare const self: {
  onmessage: (event: { data: WatchdogOrder }) => void
  postMessage(answer: WatchdogAnswer): void
}

self.onmessage = ({ data }) => watch(data)

function watch({ buffer, hangLimitS, healthPort, host }: WatchdogOrder): void {
  const board = new Board(buffer)
  const limitMs = hangLimitS === 0 ? Number.POSITIVE_INFINITY : hangLimitS * 1000
  const notLiveMs = Math.min(NOT_LIVE_MS, limitMs / 2)
  const main = new MainThread()
  const signals = signalRecord()
  // Repeated with each beat: the runtime sets its own handler with each first listener.
  const recordAll = () => {
    for (const signal of Object.values(SIGNAL_NUMBERS)) signals?.record(signal)
  }
  recordAll()
  let [handedOn, counted] = [0, 0]
  let [seen, heldMs, culprit] = [board.beat, 0, '']
  let isScheduled = false
  const tick = () => {
    const { beat } = board
    const busyMs = main.busyMs()
    if (beat !== seen) {
      if (isScheduled) say(`the event loop was blocked for ${seconds(heldMs)} by ${culprit}`)
      isScheduled = false
      heldMs = 0
      // A signal since the check before may have come after the last round of the loop.
      ;[handedOn, counted] = [counted, signals?.count() ?? 0]
      recordAll()
    } else {
      heldMs += busyMs
      culprit = board.current ?? 'work without a name'
      if (heldMs >= REPORT_MS && !isScheduled) {
        isScheduled = true
        // Before the line, as its reader may send a signal at once.
        if (restoreDefault('SIGTERM') && restoreDefault('SIGINT')) board.noteSignalsReset()
        say(`the event loop has been blocked for ${seconds(heldMs)} by ${culprit}`)
      }
      if (signals && heldMs >= OBEYED_MS && signals.count() > handedOn)
        process.kill(process.pid, signals.last())
      if (heldMs >= limitMs) end(heldMs, culprit)
    }
    seen = beat
    hostClock.startTimer(BEAT_MS, tick)
  }
  hostClock.startTimer(BEAT_MS, tick)
  if (healthPort === null) return self.postMessage({})
  const healthOf = () => {
    const live = heldMs < notLiveMs
    const why = live ? null : `the event loop has been blocked for ${seconds(heldMs)} by ${culprit}`
    const ready = live && board.isReady
    return { live, ready, ...(why ? { why } : {}), version: VERSION }
  }
  const fetch = () => {
    const health = healthOf()
    return Response.json(health, { status: health.ready ? 200 : 503 })
  }
  try {
    Bun.serve({ port: healthPort, hostname: host, fetch })
    self.postMessage({})
  } catch (error) {
    self.postMessage({ flaw: (error as Error).message })
  }
}

/** The main thread between two checks. */
class MainThread {
  private usedMs = this.measure().usedMs

  /** Processor time since the last check, ms; the time between two checks while it is blocked. */
  busyMs(): number {
    const { usedMs, isBlocked } = this.measure()
    const busyMs = isBlocked ? BEAT_MS : usedMs - this.usedMs
    this.usedMs = usedMs
    return busyMs
  }

  /** Where the system does not tell, all time counts. */
  private measure(): { usedMs: number; isBlocked: boolean } {
    try {
      const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      return { usedMs: ticks * CLOCK_TICK_MS, isBlocked: fields[0] !== 'R' }
    } catch {
      return { usedMs: 0, isBlocked: true }
    }
  }
}

/** Linux counts processor time in hundredths of a second. */
const CLOCK_TICK_MS = 10

const say = (text: string) => writeSync(2, `tapewright: ${text}\n`)

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`

/**
 * Ends the process from this thread, as the main thread cannot. Confirmed changes are stored
 * already; the state file's log is read at the next start.
 */
function end(heldMs: number, culprit: string): void {
  say(
    `the event loop has been blocked for ${seconds(heldMs)} by ${culprit}: ending with code ` +
      `${HUNG_CODE} (serve --hang-limit); what was answered is stored`,
  )
  exitAtOnce(HUNG_CODE)
  process.kill(process.pid, 'SIGKILL')
}
