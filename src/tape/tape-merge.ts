import { UserError } from '../platform/user-error.ts'
import type { Instrument, TapeEvent, TapeHeader } from './tape-event.ts'
import { openTape, type Tape } from './tape-reader.ts'
import { createTape } from './tape-writer.ts'

/**
 * Writes several tapes as one, in order of time; at the same moment, in the order of the tapes.
 *
 * An instrument that two tapes describe differently is a `UserError`; only its decimals may differ,
 * of which the larger number is used, because a recording contains only those it has seen.
 */
export async function mergeTapes(sources: readonly string[], out: string): Promise<TapeHeader> {
  const tapes: Tape[] = []
  for (const source of sources) tapes.push(await openTape(source))
  const source = tapes.map(({ header }) => header.source).join(' + ')
  const writer = await createTape(out, { source, instruments: mergeInstruments(tapes) })
  try {
    for await (const event of interleave(tapes)) {
      const drained = writer.write(event)
      if (drained) await drained
    }
    return await writer.finish()
  } finally {
    await writer.abandon()
  }
}

async function* interleave(tapes: readonly Tape[]): AsyncGenerator<TapeEvent, void, undefined> {
  const heads: TapeHead[] = []
  try {
    for (const tape of tapes) {
      const head = new TapeHead(tape)
      heads.push(head)
      await head.next()
    }
    for (;;) {
      let first: TapeHead | undefined
      for (const head of heads)
        if (head.event && (!first?.event || head.event.time < first.event.time)) first = head
      if (!first?.event) return
      yield first.event
      const refilled = first.next()
      if (refilled) await refilled
    }
  } finally {
    for (const head of heads) await head.close()
  }
}

/** The next event of one tape. */
class TapeHead {
  event: TapeEvent | undefined
  private readonly batches: AsyncGenerator<TapeEvent[], void, undefined>
  private batch: TapeEvent[] = []
  private at = 0

  constructor(tape: Tape) {
    this.batches = tape.events()
  }

  /** Advances to the next event; a promise only where it has to be read from the file. */
  next(): Promise<void> | undefined {
    this.event = this.batch[this.at++]
    return this.event ? undefined : this.refill()
  }

  async close(): Promise<void> {
    await this.batches.return()
  }

  private async refill(): Promise<void> {
    const refilled = await this.batches.next()
    this.batch = refilled.done ? [] : refilled.value
    this.event = this.batch[0]
    this.at = 1
  }
}

function mergeInstruments(tapes: readonly Tape[]): Instrument[] {
  const merged = new Map<string, Instrument>()
  for (const { path, header } of tapes)
    for (const next of header.instruments) {
      const known = merged.get(next.coin)
      merged.set(next.coin, known ? mergeInstrument(path, known, next) : next)
    }
  return [...merged.values()]
}

function mergeInstrument(path: string, known: Instrument, next: Instrument): Instrument {
  for (const name of ['kind', 'dex', 'base', 'quote', 'maxLeverage'] as const)
    if (known[name] !== next[name])
      throw new UserError(
        `${path}: says ${name} ${shown(next[name])} of ${next.coin}, a tape before it ` +
          shown(known[name]),
      )
  const pxDecimals = Math.max(known.pxDecimals, next.pxDecimals)
  const szDecimals = Math.max(known.szDecimals, next.szDecimals)
  return { ...known, pxDecimals, szDecimals }
}

const shown = (value: string | number): string => (value === '' ? '(none)' : String(value))
