import path from 'node:path'
import type { LineOrder } from '../../market/growth/line-file.ts'
import { UserError } from '../../platform/user-error.ts'
import type { GrowthReport, GrowthRequest } from './growth-worker.ts'
import { failureError } from './thread-priority.ts'

/** A thread that grows a line. */
export interface GrowthThread {
  /** Grows it up to an instant, if necessary. */
  growTo(untilMs: number): void
  /** Ends it at once: what is not in the file yet is grown again on demand. */
  end(): void
}

/** Listens to the growth. */
export interface GrowthListener {
  /** Everything up to this instant is in the file. */
  grown(toMs: number): void
  /** The growth has ended with an error. */
  failed(error: Error): void
}

/** Starts the growth of a line, at first as far as it was grown before. */
export type StartGrowth = (order: LineOrder, listener: GrowthListener) => GrowthThread

/** Grows a line in a thread of its own. */
export const growInThread: StartGrowth = (order, listener) => {
  // Without a suffix: it is a source beside sources, and built beside built files.
  const worker = new Worker(path.join(import.meta.dir, 'growth-worker'))
  let isOver = false
  const fail = (error: Error) => {
    if (isOver) return
    end()
    listener.failed(error)
  }
  const end = () => {
    isOver = true
    worker.terminate()
  }
  const ask = (request: GrowthRequest) => worker.postMessage(request)
  worker.onmessage = ({ data }: MessageEvent<GrowthReport>) => {
    if (isOver) return
    if ('grownToMs' in data) listener.grown(data.grownToMs)
    else fail(failureError(data))
  }
  worker.onerror = ({ message }) => fail(endedEarly(message))
  worker.addEventListener('close', () => fail(endedEarly('it was ended')))
  ask({ open: order })
  return { growTo: (growToMs) => ask({ growToMs }), end }
}

const endedEarly = (why: string) => new UserError(`the thread that grows it ended (${why})`)
