/** Places along a tape that one may want to go to. */
import type { Sandbox } from './sandbox.ts'

export interface PlayheadMark {
  /** Tape time, ms. */
  at: number
  /** Where it ends; the same but for gaps. */
  until: number
  kind: 'bookmark' | 'gap' | 'fault'
  what: string
}

/** Faults that are listed: the newest. */
const FAULTS_MAX = 1_000

/** Gaps of the tape, what scenarios did and bookmarks, in order of time. */
export function marksOf(sandbox: Sandbox): PlayheadMark[] {
  const gaps = (sandbox.world.gaps ?? []).map(({ fromMs, toMs, why }): PlayheadMark => {
    return { at: fromMs, until: toMs, kind: 'gap', what: why }
  })
  const bookmarks = [...sandbox.bookmarks].map(([name, at]) => markAt(at, 'bookmark', name))
  const marks = [...gaps, ...bookmarks, ...faultsOf(sandbox)]
  return marks.sort((a, b) => a.at - b.at)
}

/** One for each rule and instant. */
function faultsOf({ journal }: Sandbox): PlayheadMark[] {
  const marks = new Map<string, PlayheadMark>()
  for (const { kind, rule, tapeMs } of journal.after(0))
    if (rule !== null && kind !== 'market')
      marks.set(`${rule} ${tapeMs}`, markAt(tapeMs, 'fault', rule))
  return [...marks.values()].slice(-FAULTS_MAX)
}

const markAt = (atMs: number, kind: PlayheadMark['kind'], what: string): PlayheadMark => {
  const at = Math.floor(atMs)
  return { at, until: at, kind, what }
}
