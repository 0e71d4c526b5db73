import path from 'node:path'
import { UserError } from '../../user-error.ts'
import type { CastingOrder, CastingReport } from './casting-worker.ts'
import { failureError } from './thread-manners.ts'

/**
 * Casts a world in a thread of its own, into `order.file`.
 *
 * What cannot be cast or written is a UserError, and so is a thread that ends before it is done.
 */
export function castInThread(
  order: CastingOrder,
  onProgress: (events: number) => void,
): Promise<void> {
  // Without a suffix: it is a source beside sources, and built beside what is built.
  const worker = new Worker(path.join(import.meta.dir, 'casting-worker'))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  worker.onmessage = ({ data }: MessageEvent<CastingReport>) => {
    if ('events' in data) onProgress(data.events)
    else if ('completed' in data) resolve()
    else reject(failureError(data))
  }
  worker.onerror = ({ message }) => reject(endedEarly(message))
  worker.addEventListener('close', () => reject(endedEarly('it was ended')))
  worker.postMessage(order)
  return promise.finally(() => worker.terminate())
}

const endedEarly = (why: string) =>
  new UserError(`the thread that casts the world ended before it was done (${why}): try again`)
