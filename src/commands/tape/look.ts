import { KINDS } from '../../tape/event.ts'
import { openTape, type Tape } from '../../tape/reader.ts'
import { FINDINGS_KEPT, type Survey, survey } from '../../tape/survey.ts'
import { oneFile, readFlags } from './flags.ts'
import { duration, moment, table } from './report.ts'

/** `tape info`: the header and what each coin did. */
export async function info(args: string[]): Promise<number> {
  const { flags, rest } = readFlags(args, { json: { type: 'boolean' } })
  const tape = await openTape(oneFile('info', rest))
  const { coins } = await survey(tape)
  const { header } = tape
  if (flags.json) console.log(JSON.stringify({ ...header, coins }, null, 2))
  else console.log(`${heading(tape)}\n\n${coinTable(coins)}`)
  return 0
}

/** `tape verify`: reads everything and follows the books; code 1 when something is wrong. */
export async function verify(args: string[]): Promise<number> {
  const { flags, rest } = readFlags(args, { json: { type: 'boolean' } })
  const tape = await openTape(oneFile('verify', rest))
  const result = await survey(tape)
  if (flags.json) {
    const { events, found, findings } = result
    console.log(JSON.stringify({ tape: tape.path, events, found, findings }, null, 2))
  } else console.log(verdict(tape, result))
  return result.found === 0 ? 0 : 1
}

function heading({ path, header }: Tape): string {
  const counts = KINDS.flatMap((kind) =>
    header.counts[kind] ? `${header.counts[kind]} ${kind}` : [],
  )
  return [
    path,
    `  source       ${header.source}`,
    `  from         ${header.startMs}  ${moment(header.startMs)}`,
    `  to           ${header.endMs}  ${moment(header.endMs)}`,
    `  duration     ${duration(header)}`,
    `  events       ${counts.join(', ') || 'none'}`,
    `  instruments  ${header.instruments.map(({ coin }) => coin).join(', ') || 'none'}`,
  ].join('\n')
}

function coinTable(coins: Survey['coins']): string {
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

function verdict({ path }: Tape, { events, coins, findings, found }: Survey): string {
  if (found === 0) return `${path}: sound, ${events} events of ${coins.length} coins`
  const lines = findings.map(
    ({ seq, time, coin, what }) => `  seq ${seq} at ${time}, ${coin}: ${what}`,
  )
  const more = found > FINDINGS_KEPT ? [`  and ${found - FINDINGS_KEPT} more`] : []
  return [`${path}: ${found} findings in ${events} events`, ...lines, ...more].join('\n')
}
