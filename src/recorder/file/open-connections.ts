/** The sockets that are open at the end of a file, which the next one begins with. */
import type { ConnectionData } from '../../tape/recorded-data.ts'
import { recordedLine } from './recorded-line.ts'
import type { RecordedLine } from './recording-file.ts'

export class OpenConnections {
  private readonly opened = new Map<number, Extract<ConnectionData, { event: 'open' }>>()

  /** Takes a line that has been written. */
  follow({ connection }: RecordedLine): void {
    if (connection?.event === 'open') this.opened.set(connection.connection, connection)
    else if (connection?.event === 'close') this.opened.delete(connection.connection)
  }

  /** The lines that tell of them, right before the line that comes next. */
  linesBefore(next: RecordedLine): RecordedLine[] {
    // Each has had a number of its own before, so there are as many numbers below.
    let seq = next.seq - this.opened.size
    return [...this.opened.values()].map((data) =>
      recordedLine('connection', { time: next.time, seq: seq++ }, { ...data, continued: true }),
    )
  }
}
