/**
 * Benchmark of importing frames of the venue's socket, each after a clock, against parsing the same
 * lines.
 */
import type { TapeEvent } from '../src/tape/tape-event.ts'
import { measureImport } from './measure/import-speed.ts'

await measureImport({
  name: 'socket frames',
  file: 'frames.zst',
  head: [],
  parsesTape: false,
  line(event) {
    if (event.kind === 'book') return frameLine(event.time, 'l2Book', bookData(event))
    if (event.kind !== 'trade') return null
    const { coin, data, seq, time } = event
    return frameLine(time, 'trades', [{ ...data, coin, time, tid: seq }])
  },
})

function frameLine(time: number, channel: string, data: unknown): string {
  return `${time}000000 ${JSON.stringify({ channel, data })}`
}

function bookData({ coin, time, data }: TapeEvent & { kind: 'book' }) {
  const levels = [data.bids, data.asks].map((side) =>
    side.slice(0, 20).map(([px, sz, n]) => ({ px, sz, n })),
  )
  return { coin, time, levels }
}
