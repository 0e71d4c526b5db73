import { openTape } from '../../src/tape/tape-reader.ts'
import { createTape } from '../../src/tape/tape-writer.ts'

/**
 * Writes a recording of one socket: a subscription and its frames, evenly over the span of a tape,
 * so that the recording keeps its times where that tape is played.
 */
export async function writeRecording(
  file: string,
  tape: string,
  { url, messages, frames }: { url: string; messages: string[]; frames: string[] },
): Promise<void> {
  const { startMs, endMs } = (await openTape(tape)).header
  const recording = await createTape(file, { source: 'a socket of a benchmark', instruments: [] })
  const opened = { connection: 1, event: 'open', startedMs: startMs, url } as const
  const write = (event: Parameters<typeof recording.write>[0]) => recording.write(event)
  const data = { ...opened, requestHeaders: {}, protocols: [], protocol: null }
  await write({ time: startMs, kind: 'connection', coin: '', data })
  const frame = (time: number, direction: 'in' | 'out', text: string) =>
    write({ time, kind: 'frame', coin: '', data: { connection: 1, direction, text } })
  for (const text of messages) await frame(startMs, 'in', text)
  const step = (endMs - startMs) / frames.length
  for (const [i, text] of frames.entries())
    await frame(startMs + Math.floor(step * (i + 1)), 'out', text)
  await recording.finish()
}
