/** Sandboxes in which deviations are tried, with a control plane and without. */
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
  /** A transport by which everybody knows what was looked up before, and which carries by this. */
  sharing: (carrying: TargetTransport) => TargetTransport
  /** Whether it is no longer as it was made. */
  isUsed: () => boolean
  /** Lets go of what it holds: thousands are made in one process. */
  drop: () => void
}

/** No case takes so long. */
const CASE_TIMEOUT_MS = 3_600_000
/** What a run has for its patience unless it is told. */
const PATIENCE_MS = 5_000
/** How far time goes on before it is seen whether something has come. */
const STEP_MS = 250

let nonce = 0

/** A sandbox; without a control plane time goes on while somebody waits. */
export async function trialPlace(hasControl: boolean): Promise<TrialPlace> {
  // In memory everything answers at once: what waits for the event loop would never be let go.
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

/** Told of requests that may change what a sandbox keeps. */
const counting = (transport: TargetTransport, onChange: () => void): TargetTransport => ({
  ...transport,
  request: (sent) => {
    if (CHANGING.test(`${sent.method} ${sent.path}`)) onChange()
    return transport.request(sent)
  },
})

const CHANGING = /^(PUT|DELETE)|register|SignalAlert\?|sub/

/** While somebody waits for a frame, time goes on. */
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

/** A machine on which waiting is letting the sandbox's time pass. */
const waiting = (wait: (ms: number) => Promise<void>): SystemClock => ({
  ...futureSigning,
  startTimer: (delayMs, task) => {
    if (delayMs < CASE_TIMEOUT_MS) void wait(delayMs).then(task)
    return () => {}
  },
})
