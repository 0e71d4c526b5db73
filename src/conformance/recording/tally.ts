/** What has become of one respect in which everything of a kind is judged. */
import type { Said } from '../conversation.ts'
import type { Result } from '../runner.ts'

/** What cannot be found again in the tape is no use to who looks for it. */
interface Flaw {
  text: string
  seq: number
  said: Said[]
}

export class Tally {
  private first: Flaw | null = null
  private flawed = 0
  private judged = 0
  private unjudged = 0

  constructor(
    private readonly id: string,
    private readonly title: string,
    private readonly checks: readonly string[],
  ) {}

  /** Notes that one was looked at; `flaw` says what does not hold, null when it holds. */
  judge(flaw: string | null, seq: number, said: () => Said[]): void {
    this.judged++
    if (flaw === null) return
    this.flawed++
    this.first ??= { text: flaw, seq, said: said() }
  }

  /** Notes that there was one of which nothing can be said. */
  pass(): void {
    this.unjudged++
  }

  result(): Result {
    const { id, title, checks, judged, flawed, first, unjudged } = this
    const of = { id, title, checks, durationMs: 0, looked: judged > 0 }
    if (first !== null) {
      const message = `${first.text} (seq ${first.seq}; ${flawed} of ${judged})`
      return { ...of, verdict: 'failed', message, conversation: first.said }
    }
    if (judged > 0) return { ...of, verdict: 'passed', message: '', conversation: [] }
    const message = `none of the ${unjudged} that were recorded could be judged`
    return { ...of, verdict: 'skipped', message, conversation: [] }
  }
}
