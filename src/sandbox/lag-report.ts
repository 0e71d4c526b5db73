/** Says when a playhead does not follow its speed, and when it begins the tape anew. */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Journal } from './journal/journal.ts'
import type { Playhead } from './playhead.ts'

/** A sandbox whose playhead falls behind. */
interface LaggingSandbox {
  readonly id: string
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly journal: Journal
  log(line: string): void
}

/** Journals and logs when it begins to fall behind, and when it does no more. */
export function lagReport(sandbox: LaggingSandbox): (isBehind: boolean) => void {
  let wasBehind = false
  return (isBehind) => {
    if (isBehind !== wasBehind) report(sandbox, isBehind)
    wasBehind = isBehind
  }
}

/** Journals that what was shown of the tape is no more: it begins anew. */
export const lapReport = (sandbox: LaggingSandbox) => () => journalMove(sandbox, 'lap')

/** Journals that the market goes on elsewhere. */
export function journalMove(sandbox: LaggingSandbox, event: 'lap' | 'seek'): void {
  const { clock, playhead, journal } = sandbox
  if (!journal.isOn) return
  const sessionMs = clock.nowMs()
  const tapeMs = event === 'lap' ? playhead.span.startMs : playhead.positionAt(sessionMs).atMs
  journal.record({ kind: 'playhead', event, sessionMs, tapeMs, key: null, lagMs: 0 })
}

function report(sandbox: LaggingSandbox, isBehind: boolean): void {
  const { id, clock, playhead, journal } = sandbox
  const sessionMs = clock.nowMs()
  const lagMs = Math.round(playhead.lagMs(sessionMs))
  const what = `the playhead of sandbox ${id}, at speed ${playhead.speed},`
  sandbox.log(
    isBehind
      ? `${what} cannot be followed: the market goes as fast as can be done`
      : `${what} is followed again, ${lagMs} ms late`,
  )
  if (!journal.isOn) return
  const event = isBehind ? 'behind' : 'followed'
  const tapeMs = playhead.positionAt(sessionMs).atMs
  journal.record({ kind: 'playhead', event, sessionMs, tapeMs, key: null, lagMs })
}
