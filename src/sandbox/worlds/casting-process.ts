import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import type { CastingOrder, CastingReport } from './casting-worker.ts'
import { failureError } from './thread-manners.ts'

/**
 * Casts a world in a process of its own, into `order.file`; from within a binary, in a thread.
 *
 * What cannot be cast or written is a UserError, and so is a process that ends before it is done.
 */
export function castInProcess(
  order: CastingOrder,
  onProgress: (events: number) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onReport = (report: CastingReport) => {
    if ('events' in report) onProgress(report.events)
    else if ('completed' in report) resolve()
    else reject(failureError(report))
  }
  const onEnd = (why: string) => reject(endedEarly(why))
  const stop = IS_BINARY
    ? startThread(order, onReport, onEnd)
    : startProcess(order, onReport, onEnd)
  return promise.finally(stop)
}

type Start = (
  order: CastingOrder,
  onReport: (report: CastingReport) => void,
  onEnd: (why: string) => void,
) => () => void

/** Without a suffix: it is a source beside sources, and built beside what is built. */
const ENTRY = path.join(import.meta.dir, 'casting-worker')

/** A binary has its files within itself, where no other process finds them. */
const IS_BINARY = import.meta.dir.includes('$bunfs') || import.meta.dir.includes('~BUN')

/**
 * Code that runs for seconds is not worth the best that the engine could make of it, which takes
 * as long again; that is told to a process only as it starts.
 */
const ENGINE = { BUN_JSC_useFTLJIT: 'false' }

const startProcess: Start = (order, onReport, onEnd) => {
  const child = Bun.spawn([process.execPath, ENTRY], {
    env: { ...process.env, ...ENGINE },
    stdio: ['ignore', 'ignore', 'inherit'],
    ipc: onReport,
    onExit: (_, code, signal) => onEnd(signal === null ? `it ended with ${code}` : `by ${signal}`),
  })
  child.send(order)
  return () => child.kill('SIGKILL')
}

const startThread: Start = (order, onReport, onEnd) => {
  const worker = new Worker(ENTRY)
  worker.onmessage = ({ data }: MessageEvent<CastingReport>) => onReport(data)
  worker.onerror = ({ message }) => onEnd(message)
  worker.addEventListener('close', () => onEnd('it was ended'))
  worker.postMessage(order)
  return () => worker.terminate()
}

const endedEarly = (why: string) =>
  new UserError(`the process that casts the world ended before it was done (${why}): try again`)
