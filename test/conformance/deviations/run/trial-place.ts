/** Sandboxes for trials of deviations, with a control plane and without. */
import { hostClock, type SystemClock } from '../../../../src/clock/system-clock.ts'
import type { Case } from '../../../../src/conformance/probe.ts'
import { type Result, runCases } from '../../../../src/conformance/runner.ts'
import type { Target } from '../../../../src/conformance/target.ts'
import { isSocket, type TargetTransport } from '../../../../src/conformance/target-transport.ts'
import { futureSigning, memoryTarget } from '../../../fixtures/memory-probe.ts'
import type { Place } from '../deviation.ts'

export interface TrialPlace extends Place {
  /** Runs one case over a transport. */
  run: (which: Case, through: TargetTransport) => Promise<Result>
  /** A transport that shares earlier lookups, and carries by the given one. */
  sharing: (carrying: TargetTransport) => TargetTransport
  /** Whether its state has changed. */
  isUsed: () => boolean
  /** Frees its resources: thousands are created in one process. */
  drop: () => void
}

/** Exceeds the duration of any case. */
const CASE_TIMEOUT_MS = 3_600_000
/** Default patience of a run. */
const PATIENCE_MS = 5_000
/** Step of passing time between checks for activity. */
const STEP_MS = 250

let nonce = 0

/** A sandbox; without a control plane time passes during waits. */
export async function trialPlace(hasControl: boolean): Promise<TrialPlace> {
  // In memory every response is synchronous: event loop tasks would never run.
  await hostClock.yieldTurn()
  const { registry, sandbox, transport, target } = await memoryTarget()
  const startMs = sandbox.clock.nowMs()
  let changes = 0
  const counted = counting(transport, () => changes++)
  const through = hasControl ? counted : patient(counted, (ms) => sandbox.clock.advance(ms))
  const known = hasControl ? target : withoutControl(target)
  let current = through
  const shared: TargetTransport = {
    request: (sent) => current.request(sent),
    connect: (path) => current.connect(path),
  }
  const wait = async (ms: number) => void (await sandbox.clock.advance(ms))
  return {
    transport: through,
    nowS: () => Math.floor(futureSigning.nowMs() / 1000),
    nowMs: () => sandbox.clock.nowMs(),
    isUsed: () => changes > 0 || sandbox.clock.nowMs() !== startMs,
    drop: () => registry.close(),
    sharing: (carrying) => {
      current = carrying
      return shared
    },
    run: async (which, carried) => {
      const [result] = await runCases([which], {
        target: known,
        transport: carried,
        systemClock: hasControl ? futureSigning : waiting(wait),
        nonce: `trial-${nonce++}`,
        caseTimeoutMs: CASE_TIMEOUT_MS,
      })
      return result as Result
    },
  }
}

function withoutControl({ keys, inviteToken }: Target): Target {
  return { keys, patienceMs: PATIENCE_MS, ...(inviteToken === undefined ? {} : { inviteToken }) }
}

/** Reports requests that may change a sandbox. */
const counting = (transport: TargetTransport, onChange: () => void): TargetTransport => ({
  ...transport,
  request: (sent) => {
    if (CHANGING.test(`${sent.method} ${sent.path}`)) onChange()
    return transport.request(sent)
  },
})

const CHANGING = /^(PUT|DELETE)|register|SignalAlert\?|sub/

/** Time passes during waits for a frame. */
const patient = (
  transport: TargetTransport,
  advance: (ms: number) => Promise<unknown>,
): TargetTransport => ({
  ...transport,
  connect: async (path) => {
    const opened = await transport.connect(path)
    if (!isSocket(opened)) return opened
    return {
      frames: opened.frames,
      get closeCode() {
        return opened.closeCode
      },
      send: (data) => opened.send(data),
      ping: () => opened.ping?.(),
      close: () => opened.close(),
      waitForActivity: async (ms) => {
        for (let left = ms; left > 0; left -= STEP_MS) {
          if (opened.frames.length > 0 || opened.closeCode !== null) return
          await advance(Math.min(left, STEP_MS))
        }
      },
    }
  },
})

/** A clock whose waits let the sandbox's time pass. */
const waiting = (wait: (ms: number) => Promise<void>): SystemClock => ({
  ...futureSigning,
  startTimer: (delayMs, task) => {
    if (delayMs < CASE_TIMEOUT_MS) void wait(delayMs).then(task)
    return () => {}
  },
})
