/** The thread that writes a new world while another one makes it up. */
import { Database } from 'bun:sqlite'
import { type Parcel, unpack } from './parcel.ts'
import { RowWriter } from './row-writer.ts'

/** What the thread is told, in order. */
export type Order =
  | { order: 'open'; file: string }
  | { order: 'write'; parcel: Parcel }
  | { order: 'index' }
  | { order: 'finish' }

/** What it says after each of them. */
export type Report = { done: Order['order'] } | { failed: string }

declare const self: Worker

let db: Database | null = null
let writer: RowWriter | null = null
let hasFailed = false

self.onmessage = ({ data }: MessageEvent<Order>) => {
  if (hasFailed) return
  try {
    obey(data)
    report({ done: data.order })
  } catch (error) {
    hasFailed = true
    db?.close()
    report({ failed: error instanceof Error ? error.message : String(error) })
  }
}

const report = (said: Report) => postMessage(said)

function obey(order: Order): void {
  switch (order.order) {
    case 'open':
      db = new Database(order.file, { create: true, strict: true })
      writer = new RowWriter(db)
      return
    case 'write':
      return unpack(order.parcel, (name, values) => writer?.write(name, values))
    case 'index':
      return writer?.index()
    case 'finish':
      writer?.finish()
      db?.close()
  }
}
