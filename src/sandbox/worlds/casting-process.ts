import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import type { Casting } from '../loaded-world.ts'
import type { CastingOrder, CastingReport } from './casting-worker.ts'
import { failureError } from './thread-manners.ts'

/** Worlds that may wait for their casting: each keeps whoever asked for it waiting. */
const WAITING_MAX = 16

/** Castings in order: a few at a time, as each takes two threads, and the others wait. */
export class CastingQueue {
  private readonly running = new Set<Casting>()
  private readonly waiting: { casting: Casting; start: () => void }[] = []

  /** @param atOnce how many may run at a time */
  constructor(private readonly atOnce: number) {}

  /** Those that run, then those that wait. */
  list(): readonly Casting[] {
    return [...this.running, ...this.waiting.map(({ casting }) => casting)]
  }

  /**
   * Does the work when its turn has come; `casting` is shown until it ends. Refuses with a
   * UserError when too many wait already.
   */
  async run<T>(casting: Casting, work: () => Promise<T>): Promise<T> {
    if (this.running.size >= this.atOnce) await this.turnOf(casting)
    this.running.add(casting)
    try {
      return await work()
    } finally {
      this.running.delete(casting)
      this.startNext()
    }
  }

  /** Its place is taken at once: nobody comes between. */
  private startNext(): void {
    const next = this.waiting.shift()
    if (!next) return
    this.running.add(next.casting)
    next.start()
  }

  private turnOf(casting: Casting): Promise<void> {
    if (this.waiting.length >= WAITING_MAX)
      throw new UserError(
        `${this.running.size} worlds are being cast and ${this.waiting.length} wait for it, ` +
          `and no more than ${WAITING_MAX} may wait: ask again when some of them are finished`,
      )
    return new Promise((start) => this.waiting.push({ casting, start }))
  }
}

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
