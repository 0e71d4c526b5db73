/** The book of a coin as a ladder around the spread. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ChannelTypes } from '../../../../clients/service/contract/channels.ts'
import { Choice } from '../../parts/choice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { NoPush } from '../../parts/shown.tsx'
import { useNewestPush, virtualTime } from '../../session/asking.ts'
import { numberText, timeText } from '../../shell/formats.ts'
import { bookSteps, type Rounding } from './book-steps.ts'
import { priceDecimals } from './coin-head.tsx'
import { say } from './words.ts'

type Book = ChannelTypes['l2Book']['data']
type Level = Book['levels'][0][number]

/** Number of levels in the channel's pushes. */
const LEVELS = 20

export function BookLadder({ coin }: { coin: string }) {
  const rounding = useSignal<'full' | Rounding>('full')
  const finest = useRef(0)
  const nSigFigs = rounding.value === 'full' ? {} : { nSigFigs: Number(rounding.value) }
  const { pushed, refusal } = useNewestPush('l2Book', { coin, ...nSigFigs })
  const book = pushed.value
  const isStale = book?.stale === true
  const best = Number(book?.levels[0]?.[0]?.px ?? book?.levels[1]?.[0]?.px ?? 0)
  // Rounded levels do not show how fine the others are.
  if (book && rounding.value === 'full') finest.current = decimalsOfBook(book)
  const tools = (
    <>
      {book && <BookTime timeMs={book.time} isStale={isStale} />}
      <Choice
        label={say('rounding')}
        value={rounding.value}
        options={[
          { value: 'full', text: say('everyLevel') },
          ...bookSteps(best, finest.current).map(({ digits, text }) => ({ value: digits, text })),
        ]}
        onPick={(picked) => {
          rounding.value = picked
        }}
      />
    </>
  )
  return (
    <Panel title={say('book')} class="book" tools={tools} isFlush>
      {book === null || book.coin !== coin ? (
        <NoPush refusal={refusal.value} />
      ) : (
        <Ladder book={book} />
      )}
    </Panel>
  )
}

/** The time of the book, and its age from a second on. */
function BookTime({ timeMs, isStale }: { timeMs: number; isStale: boolean }) {
  const ageMs = (virtualTime.value?.shownMs ?? timeMs) - timeMs
  return (
    <span class={isStale ? 'badge warn' : 'faint'}>
      {isStale && `${say('stale')} `}
      {timeText(timeMs)}
      {ageMs >= 1000 && ` · ${(ageMs / 1000).toFixed(1)} s`}
    </span>
  )
}

function Ladder({ book }: { book: Book }) {
  const [bids, asks] = book.levels.map((side) => withSums(side.slice(0, LEVELS))) as [Row[], Row[]]
  const most = Math.max(bids.at(-1)?.sum ?? 0, asks.at(-1)?.sum ?? 0)
  const digits = decimalsOfBook(book)
  return (
    <div class={book.stale ? 'ladder stale' : 'ladder'}>
      <div class="ladder-head">
        <span>{say('price')}</span>
        <span>{say('size')}</span>
        <span>{say('sum')}</span>
      </div>
      <div class="ladder-side asks">
        {asks.toReversed().map((row, index) => (
          <LadderRow key={asks.length - index} row={row} most={most} digits={digits} side="down" />
        ))}
      </div>
      <Spread bid={bids[0]?.level} ask={asks[0]?.level} />
      <div class="ladder-side">
        {bids.map((row, index) => (
          <LadderRow key={index + 1} row={row} most={most} digits={digits} side="up" />
        ))}
      </div>
    </div>
  )
}

interface Row {
  level: Level
  /** Cumulative size. */
  sum: number
}

function withSums(levels: readonly Level[]): Row[] {
  let sum = 0
  return levels.map((level) => {
    sum += Number(level.sz)
    return { level, sum }
  })
}

interface LadderRowProps {
  row: Row
  most: number
  digits: number
  side: 'up' | 'down'
}

function LadderRow({ row: { level, sum }, most, digits, side }: LadderRowProps) {
  return (
    <div class="ladder-row">
      <span class={`bar ${side}`} style={{ transform: `scaleX(${most > 0 ? sum / most : 0})` }} />
      <span class={side}>{numberText(level.px, digits)}</span>
      <span>{sizeText(level.sz)}</span>
      <span class="faint">{sizeText(sum)}</span>
    </div>
  )
}

function Spread({ bid, ask }: { bid: Level | undefined; ask: Level | undefined }) {
  if (!bid || !ask) return <div class="spread warn">{say('oneSided')}</div>
  const spread = Number(ask.px) - Number(bid.px)
  const middle = (Number(ask.px) + Number(bid.px)) / 2
  const isCrossed = spread < 0
  return (
    <div class={isCrossed ? 'spread warn' : 'spread'}>
      <span>{isCrossed ? say('crossed') : say('spread')}</span>
      <span>{numberText(spread, Math.max(decimalsOf(bid.px), decimalsOf(ask.px)))}</span>
      <span class="faint">{((spread / middle) * 10_000).toFixed(2)} bp</span>
    </div>
  )
}

const decimalsOfBook = ({ levels }: Book): number =>
  Math.max(...levels.flat().map(({ px }) => decimalsOf(px)), 0)

/** The venue's prices may end in a zero after the point. */
const decimalsOf = (px: string): number => px.replace(/\.0$/, '').split('.')[1]?.length ?? 0

/** Four significant digits. */
function sizeText(size: string | number): string {
  const value = Number(size)
  if (value >= 100_000) return `${numberText(value / 1000, 0)}K`
  return numberText(value, Math.min(5, priceDecimals(value * 10)))
}
