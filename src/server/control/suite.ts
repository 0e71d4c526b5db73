/** The conformance suite in a thread of its own: its judgement takes no time of the server's. */

import path from 'node:path'
import type { ConformSettings } from '../../conformance/conform-settings.ts'
import type { SuiteMessage, SuiteRequest } from './conformance-worker.ts'

/** A running suite. */
export interface SuiteThread {
  /** Interrupts the run: its report has the results so far. */
  stop(): void
}

/** Starts a run; null where there is no suite. */
export function startSuite(
  settings: ConformSettings,
  onMessage: (message: SuiteMessage) => void,
): SuiteThread | null {
  // Without a suffix: it is a source beside sources, and built beside built files.
  const worker = new Worker(path.join(import.meta.dir, 'conformance-worker'))
  let isOver = false
  const receive = (message: SuiteMessage) => {
    if (isOver) return
    isOver = 'report' in message || 'failed' in message
    onMessage(message)
    if (isOver) worker.terminate()
  }
  const lose = (why: string) => receive({ failed: `its thread ended: ${why}`, isOurFault: true })
  worker.onmessage = ({ data }: MessageEvent<SuiteMessage>) => receive(data)
  worker.onerror = ({ message }) => lose(message)
  worker.addEventListener('close', () => lose('it was closed'))
  const send = (request: SuiteRequest) => worker.postMessage(request)
  send({ run: settings })
  return { stop: () => send({ stop: true }) }
}
