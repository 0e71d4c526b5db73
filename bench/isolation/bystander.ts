/**
 * A process that makes signed reads of one sandbox at a steady pace and measures their latencies.
 * Its parent sends orders, and requests the latencies of a span.
 */
import { credentials } from '../../src/contract/signature.ts'
import { HttpConnection } from '../measure/http-connection.ts'
import { Latencies } from './latencies.ts'

export interface BystanderKey {
  accessKey: string
  secretKey: string
}

/** The parent's orders: target, and start and end of a span. */
export type BystanderOrder =
  | { order: 'read'; port: number; key: BystanderKey }
  | { order: 'begin' }
  | { order: 'end' }

/** Latencies of the finished span, ms. */
export interface BystanderReport {
  listMs: number[]
}

const PACE_MS = 4

let span = { beganMs: 0, latencies: new Latencies(PACE_MS) }
/** Start of the pending read. */
let sentMs: number | null = null

process.on('message', (message: BystanderOrder) => {
  if (message.order === 'read') void readSteadily(message.port, message.key)
  if (message.order === 'begin') beginSpan()
  if (message.order === 'end') {
    // A pending read has waited as well.
    if (sentMs !== null && waitedMs(sentMs) > PACE_MS) span.latencies.add(waitedMs(sentMs))
    process.send?.({ listMs: span.latencies.listMs } satisfies BystanderReport)
    beginSpan()
  }
})

function beginSpan(): void {
  span = { beganMs: performance.now(), latencies: new Latencies(PACE_MS) }
}

/** Waiting time of a read within the span. */
const waitedMs = (sinceMs: number) => performance.now() - Math.max(sinceMs, span.beganMs)

async function readSteadily(port: number, key: BystanderKey): Promise<void> {
  const connection = await new HttpConnection(port).open()
  let dueMs = performance.now()
  for (let nonce = 0; ; nonce++) {
    const path = pathOf(key, `b${nonce}`)
    sentMs = performance.now()
    const status = await connection.get(path)
    if (status !== 200) throw new Error(`the bystander was answered ${status}`)
    span.latencies.add(waitedMs(sentMs))
    sentMs = null
    dueMs = Math.max(dueMs + PACE_MS, performance.now())
    await Bun.sleep(dueMs - performance.now())
  }
}

function pathOf({ accessKey, secretKey }: BystanderKey, nonce: string): string {
  const timestampS = Math.floor(Date.now() / 1000)
  const parts = credentials({ accessKey, secretKey, nonce, timestampS })
  return `/api/upgrade/v2/hl/tickers?${new URLSearchParams({ ...parts })}`
}
