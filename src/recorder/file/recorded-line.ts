/** Lines of a tape as they are made of what has been recorded. */
import type {
  ConnectionData,
  GapData,
  HttpExchangeData,
  SocketFrameData,
} from '../../tape/recorded-data.ts'
import type { RecordedLine } from './recording-file.ts'

/** The data of each kind that a recorder writes. */
export interface RecordedData {
  exchange: HttpExchangeData
  frame: SocketFrameData
  connection: ConnectionData
  gap: GapData
}

/** The line of an event that happened at `time`. */
export function recordedLine<K extends keyof RecordedData>(
  kind: K,
  { time, seq }: { time: number; seq: number },
  data: RecordedData[K],
): RecordedLine {
  const text = `${JSON.stringify({ time, seq, kind, coin: '', data })}\n`
  const line = { time, seq, kind, text }
  return kind === 'connection' ? { ...line, connection: data as ConnectionData } : line
}
