import { type Report, reportOf } from '../report.ts'
import type { Result } from '../runner.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import type { RecordedExchange, RecordedMessage } from './recorded-traffic.ts'
import { RecordingJudge } from './recording-judge.ts'

/** Everything that is found out from recorded traffic alone. */
export class Learning {
  /** What the open questions are answered from. */
  readonly answers = new RecordedAnswers()
  exchanges = 0
  messages = 0
  private skipped = 0
  private readonly judge = new RecordingJudge()

  exchange(recorded: RecordedExchange): void {
    this.exchanges++
    this.judge.exchange(recorded)
    this.answers.add(recorded)
  }

  /** An exchange of which nothing can be said: it is not what the service has answered. */
  skip(): void {
    this.skipped++
  }

  /** A socket was opened. */
  opened(connection: number, url: string, seq: number): void {
    this.judge.opened(connection, url, seq)
    this.answers.opened(connection, url)
  }

  message(recorded: RecordedMessage): void {
    const { connection, direction, text } = recorded
    this.messages++
    this.judge.message(recorded)
    this.answers.message(connection, direction, text)
  }

  /** What was found out, in the form of the suite; `mark` says which failures were known. */
  report(name: string, mark: (result: Result) => Result = (result) => result): Report {
    const { skipped } = this
    const whole = `${skipped} exchanges were not judged: they are not whole, or no text`
    const notes = [...this.judge.notes, ...(skipped === 0 ? [] : [whole])]
    const command = `tapewright conform --recording ${name}`
    return reportOf(name, this.judge.results().map(mark), this.judge.coverage, { command, notes })
  }
}
