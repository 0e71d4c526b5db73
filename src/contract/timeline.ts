/** The events of the market while a tape plays, in tape time. */
import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { JsonTemplates } from './json-templates.ts'
import type { LedgerUpdate } from './records/account-state.ts'
import type { Bbo } from './records/book.ts'
import type { AddressFill, Trade, UserFill } from './records/fill.ts'
import type { FilledOrder } from './records/order.ts'

/** The events of a world's tape, and of its continuation, in chunks that sandboxes share. */
export interface Timeline {
  startMs: TapeMs
  readonly tapeEndMs: TapeMs
  /** Known events end here: the end of the tape, or later in a market that continues. */
  readonly endMs: TapeMs
  chunkMs: number
  /**
   * All events with startMs + index x chunkMs <= time < the next: by time, then mark, funding,
   * ledger, trade, fill, order, book, bbo, then in the order of the tape.
   */
  chunk(index: number): readonly TimelineEvent[]
  /** Reads a chunk in slices, so that a later access is immediate. */
  prepare(index: number): Slices<void>
  /** Whether an account's events are in no chunk but read on demand, as it is seldom followed. */
  isOnDemand(address: string): boolean
  /** The events of such accounts in a chunk, in the same order; those of others are left out. */
  onDemandEvents(addresses: ReadonlySet<string>, index: number): readonly TimelineEvent[]
}

/** An event whose data a channel passes on. */
export interface PassedOn {
  /**
   * The template of its frame, from its second use on; null for none. Set by the creator of the
   * event: an object that gains a field later is slower to read.
   */
  frame?: KeptFrame | 'written' | null | undefined
}

/** One of several templates that are kept together. */
export interface KeptFrame {
  readonly templates: JsonTemplates
  readonly index: number
}

/** The order of events of one instant, by kind. */
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

/** An event of an instant, which reaches the subscriptions of its topics. */
export type TimelineEvent =
  | (PassedOn & { kind: 'trade'; timeMs: TapeMs; coin: string; trades: Trade[] })
  | {
      kind: 'book'
      timeMs: TapeMs
      coin: string
      /** The pushes of streams, by their ids. */
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
      /** The first event of one account, dex and instant. */
      first: boolean
    }
  | { kind: 'ledger'; timeMs: TapeMs; address: string; update: LedgerUpdate }
  /** A frame of a replayed recording, for the subscribers of its stream. */
  | (PassedOn & { kind: 'recorded'; timeMs: TapeMs; stream: string; recorded: object })

/** Whether it is an account's event, by its kind: it is called for every event. */
export function isOfAccount(event: TimelineEvent): event is AccountEvent {
  return event.kind === 'fill' || event.kind === 'order' || event.kind === 'ledger'
}

type AccountEvent = Extract<TimelineEvent, { address: string }>
