import { EVENT_KINDS } from '../../tape/tape-event.ts'
import { FINDINGS_MAX, inspectTape, type TapeInspection } from '../../tape/tape-inspection.ts'
import { openTape, type Tape } from '../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import type { TAPE_INFO, TAPE_VERIFY } from './declarations.ts'
import { tapeOf } from './tape-argument.ts'
import { durationText, table, timeText } from './text-output.ts'

/** `tape info`: the header and what each coin did. */
export const info: Run<typeof TAPE_INFO> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const { coins } = await inspectTape(tape)
  const { header } = tape
  if (flags.json) console.log(JSON.stringify({ ...header, coins }))
  else console.log(`${headerText(tape)}\n\n${coinTable(coins)}`)
  return 0
}

/** `tape verify`: reads everything and follows the books; exit code 1 with findings. */
export const verify: Run<typeof TAPE_VERIFY> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const result = await inspectTape(tape)
  if (flags.json) {
    const { events, findingCount, findings } = result
    console.log(JSON.stringify({ tape: tape.path, events, found: findingCount, findings }))
  } else console.log(verifyText(tape, result))
  return result.findingCount === 0 ? 0 : 1
}

function headerText({ path, header }: Tape): string {
  const counts = EVENT_KINDS.flatMap((kind) =>
    header.counts[kind] ? `${header.counts[kind]} ${kind}` : [],
  )
  return [
    path,
    `  source       ${header.source}`,
    `  from         ${header.startMs}  ${timeText(header.startMs)}`,
    `  to           ${header.endMs}  ${timeText(header.endMs)}`,
    ...(header.open ? ['               not ended: read to its last whole line'] : []),
    `  duration     ${durationText(header)}`,
    `  events       ${counts.join(', ') || 'none'}`,
    `  instruments  ${header.instruments.map(({ coin }) => coin).join(', ') || 'none'}`,
  ].join('\n')
}

function coinTable(coins: TapeInspection['coins']): string {
  const rows = coins.map(({ coin, counts, firstPx, lastPx, lowPx, highPx, volume }) => [
    coin,
    String(counts.trade ?? 0),
    String((counts.book ?? 0) + (counts.delta ?? 0)),
    firstPx ?? '-',
    lastPx ?? '-',
    lowPx ?? '-',
    highPx ?? '-',
    volume,
  ])
  return table([['coin', 'trades', 'books', 'first', 'last', 'low', 'high', 'volume'], ...rows])
}

function verifyText(
  { path, header }: Tape,
  { events, coins, findings, findingCount }: TapeInspection,
): string {
  const ended = header.open ? 'not ended, ' : ''
  if (findingCount === 0) return `${path}: ${ended}sound, ${events} events of ${coins.length} coins`
  const lines = findings.map(
    ({ seq, time, coin, what }) => `  seq ${seq} at ${time}, ${coin}: ${what}`,
  )
  const more = findingCount > FINDINGS_MAX ? [`  and ${findingCount - FINDINGS_MAX} more`] : []
  return [`${path}: ${findingCount} findings in ${events} events`, ...lines, ...more].join('\n')
}
