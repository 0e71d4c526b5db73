import type { EventDraft } from '../tape-event.ts'
import { EventFlaw, type TapeWriter } from '../tape-writer.ts'
import type { DraftStream } from './draft-stream.ts'
import type { LiquidationJoin } from './liquidation-join.ts'

/** Events that lay long before the one ahead of them. */
export class LateEvents {
  count = 0
  /** How long, of the one that lay longest before. */
  mostMs = 0

  take(lateMs: number): void {
    if (lateMs <= LATE_MS) return
    this.count++
    this.mostMs = Math.max(this.mostMs, lateMs)
  }
}

/** Streams of a source are behind one another by seconds. */
const LATE_MS = 60_000

/** Writes events of streams, moving those that lie before the one ahead of them to its time. */
export function monotonicWriter(
  writer: TapeWriter,
  join: LiquidationJoin,
  late: LateEvents,
): (stream: DraftStream) => Promise<void> | undefined {
  let lastMs = 0
  const writeOne = (draft: EventDraft) => {
    if (draft.time < lastMs) {
      late.take(lastMs - draft.time)
      return writer.write(movedTo(lastMs, draft))
    }
    const written = writer.write(draft)
    lastMs = draft.time
    return written
  }
  return (stream) => {
    let drained: Promise<void> | undefined
    try {
      for (const draft of stream.drafts)
        if (join.passes(draft)) drained = both(drained, writeOne(draft))
        else for (const joined of join.put(draft)) drained = both(drained, writeOne(joined))
    } catch (error) {
      if (!(error instanceof EventFlaw)) throw error
      stream.refuse(error.flaw)
    }
    return drained
  }
}

function movedTo(time: number, draft: EventDraft): EventDraft {
  const moved = { ...draft, time } as EventDraft
  if (moved.kind === 'trade') moved.data = { ...moved.data, sourceTimeMs: draft.time }
  return moved
}

/** Waits for one of two, or for both; there is rarely any. */
function both(
  one: Promise<void> | undefined,
  other: Promise<void> | undefined,
): Promise<void> | undefined {
  return one && other ? Promise.all([one, other]).then(() => {}) : (one ?? other)
}
