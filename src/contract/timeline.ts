/** What happens on the market while a tape plays, in tape time. */
import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { JsonTemplates } from './json-templates.ts'
import type { Bbo } from './records/book.ts'
import type { AddressFill, Trade, UserFill } from './records/fill.ts'
import type { LedgerUpdate } from './records/ledger.ts'
import type { FilledOrder } from './records/order.ts'

/** The events of a world's tape, and of what comes after it, in chunks that sandboxes share. */
export interface Timeline {
  startMs: TapeMs
  readonly tapeEndMs: TapeMs
  /** Events up to here are known: the end of the tape, or later in a market that goes on. */
  readonly endMs: TapeMs
  chunkMs: number
  /**
   * All events with startMs + index x chunkMs <= time < the next: by time, then mark, funding,
   * ledger, trade, fill, order, book, bbo, then in the order of the tape.
   */
  chunk(index: number): readonly TimelineEvent[]
  /** Reads a chunk in slices, so that it is there at once when it is asked for. */
  prepare(index: number): Slices<void>
  /** Whether the events of an account are in no chunk, as hardly anybody follows it. */
  isApart(address: string): boolean
  /** What a chunk would have of such accounts, in the same order; those of others are left out. */
  eventsApart(addresses: ReadonlySet<string>, index: number): readonly TimelineEvent[]
}

/** An event whose data a channel passes on. */
export interface PassedOn {
  /**
   * Where a template of its frame is, once that was needed a second time; null when there is none.
   * Whoever makes the event sets it: one that grows later is slower to read.
   */
  frame?: KeptFrame | 'written' | null | undefined
}

/** One of several templates that are kept together. */
export interface KeptFrame {
  readonly templates: JsonTemplates
  readonly index: number
}

/** The order of events of one instant, by kind: whoever comes first is told first. */
export const KIND_RANKS: Readonly<Record<TimelineEvent['kind'], number>> = {
  mark: 0,
  ledger: 1,
  trade: 2,
  fill: 3,
  order: 4,
  book: 5,
  bbo: 6,
  recorded: 7,
}

/** What can happen at an instant; each event reaches the subscriptions of its topics. */
export type TimelineEvent =
  | (PassedOn & { kind: 'trade'; timeMs: TapeMs; coin: string; trades: Trade[] })
  | {
      kind: 'book'
      timeMs: TapeMs
      coin: string
      /** What streams push of it, by their ids: as what is passed on. */
      states?: Map<string, PassedOn> | undefined
    }
  | (PassedOn & { kind: 'bbo'; timeMs: TapeMs; coin: string; bbo: Bbo })
  | { kind: 'mark'; timeMs: TapeMs; coin: string }
  | { kind: 'fill'; timeMs: TapeMs; address: string; fill: AddressFill; native: UserFill }
  | {
      kind: 'order'
      timeMs: TapeMs
      address: string
      dex: string
      ended: FilledOrder | null
      /** Of several events of one account, dex and instant, this is the first. */
      first: boolean
    }
  | { kind: 'ledger'; timeMs: TapeMs; address: string; update: LedgerUpdate }
  /** A frame of a recording that is served back, to the subscribers of its stream. */
  | (PassedOn & { kind: 'recorded'; timeMs: TapeMs; stream: string; recorded: object })

/** An event of an account, not of a market. By its kind: it is asked of every event there is. */
export function isOfAccount(event: TimelineEvent): event is AccountEvent {
  return event.kind === 'fill' || event.kind === 'order' || event.kind === 'ledger'
}

type AccountEvent = Extract<TimelineEvent, { address: string }>
