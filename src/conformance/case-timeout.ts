/** How long a case may take. */
import type { SystemClock } from '../clock/system-clock.ts'
import { CaseTimeout } from './case-outcome.ts'
import type { Gate } from './gate.ts'

/** Tells when a case has had its time; what it waited is not of it. */
export function startTimeout(
  { systemClock, caseTimeoutMs = 60_000 }: { systemClock: SystemClock; caseTimeoutMs?: number },
  gate: Gate | undefined,
  onLate: (late: CaseTimeout) => void,
): () => void {
  const startMs = systemClock.monotonicMs()
  let cancel = () => {}
  const arm = (ms: number) => {
    cancel = systemClock.startTimer(ms, () => {
      const spentMs = systemClock.monotonicMs() - startMs - (gate?.waitedMs ?? 0)
      const leftMs = gate === undefined ? 0 : caseTimeoutMs - spentMs
      if (leftMs > 0) arm(leftMs)
      else onLate(new CaseTimeout(`nothing came of it in ${caseTimeoutMs} ms`))
    })
  }
  arm(caseTimeoutMs)
  return () => cancel()
}
