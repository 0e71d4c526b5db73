import {
  differenceOf,
  isNone,
  type Pair,
  type TapeDifference,
} from '../../../tape/tape-difference.ts'
import type { TapeEvent } from '../../../tape/tape-event.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import type { TAPE_DIFF } from './inspect-declarations.ts'
import { countText, table, tapesOf } from './text-output.ts'

/** `tape diff`: how two tapes differ; exit code 1 when they do. */
export const diff: Run<typeof TAPE_DIFF> = async ({ flags, rest }) => {
  const [a = '', b = ''] = tapesOf(rest)
  const found = await differenceOf(await openTape(a), await openTape(b))
  const isSame = isNone(found)
  if (flags.json) console.log(JSON.stringify({ a, b, same: isSame, ...found }))
  else console.log(isSame ? sameText({ a, b }, found) : differenceText({ a, b }, found))
  return isSame ? 0 : 1
}

const sameText = ({ a, b }: Pair<string>, { events }: TapeDifference) =>
  `${a} and ${b} are the same: ${countText(events.a)} events`

function differenceText(paths: Pair<string>, found: TapeDifference): string {
  const { header, kinds, coins, first } = found
  return [
    `A ${paths.a}\nB ${paths.b}`,
    ...part('header', header, ({ field, a, b }) => [field, a, b]),
    ...part('events of a kind', kinds, ({ kind, ...pair }) => [kind, ...counted(pair)]),
    ...part('events of a coin', coins, ({ coin, ...pair }) => [coin, ...counted(pair)]),
    first === null
      ? `all ${countText(found.events.a)} events are the same`
      : [
          `first difference after ${countText(first.same)} events that are the same`,
          ...eventLines(first),
        ].join('\n'),
  ].join('\n\n')
}

/** A table of what differs; nothing where nothing does. */
function part<T>(title: string, all: readonly T[], cells: (one: T) => string[]): string[] {
  return all.length === 0 ? [] : [table([[title, 'A', 'B'], ...all.map(cells)])]
}

const counted = ({ a, b }: Pair<number>) => [countText(a), countText(b)]

/** Both events; of long ones what is around their first other letter. */
function eventLines({ a, b }: Pair<TapeEvent | null>): string[] {
  const [inA, inB] = [textOf(a), textOf(b)]
  const shorter = Math.min(inA.length, inB.length)
  let at = 0
  while (at < shorter && inA[at] === inB[at]) at++
  return [`  A ${excerpt(inA, at)}`, `  B ${excerpt(inB, at)}`]
}

const SHOWN_MAX = 240
const [HEAD, BEFORE, AFTER] = [80, 40, 110]

function excerpt(text: string, at: number): string {
  if (text.length <= SHOWN_MAX) return text
  const from = Math.max(HEAD, at - BEFORE)
  const between = from > HEAD ? ' … ' : ''
  const rest = from + AFTER < text.length ? ' …' : ''
  return `${text.slice(0, HEAD)}${between}${text.slice(from, from + AFTER)}${rest}`
}

const textOf = (event: TapeEvent | null) => (event === null ? 'has ended' : JSON.stringify(event))
