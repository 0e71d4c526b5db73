import { VERSION } from '../../../platform/version.ts'
import { RECORDED_ROUTES } from '../../../sandbox/session/socket-upgrade.ts'
import { exportHar } from '../../../tape/har/har-export.ts'
import type { Finding } from '../../../tape/replay/market/market-fact.ts'
import { type NormaliseReport, normalise } from '../../../tape/replay/market/normalisation.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import { checkIsNoSource } from '../terminal.ts'
import type { TAPE_EXPORT } from './import-declaration.ts'
import type { TAPE_NORMALISE } from './normalise-declaration.ts'
import { parseTapeTime, tapeOf, writtenText } from './text-output.ts'

/** `tape normalise`: makes a market of recorded traffic. */
export const normaliseRecording: Run<typeof TAPE_NORMALISE> = async ({ flags, rest }) => {
  const { out, history, from, coins, json } = flags
  const historyOut = history ?? out.replace(/(\.tape)?(\.ndjson)?(\.zst)?$/, '.history.csv')
  for (const written of [out, historyOut]) checkIsNoSource(rest, written)
  const { startMs } = (await openTape(rest[0] ?? '')).header
  const report = await normalise(
    {
      files: rest,
      out,
      historyOut,
      ...(from === undefined ? {} : { fromMs: parseTapeTime('from', from, startMs) }),
      ...(coins === undefined ? {} : { coins: coins.split(',').map((coin) => coin.trim()) }),
    },
    RECORDED_ROUTES,
  )
  console.log(json ? JSON.stringify(report) : reportText(out, report))
  return 0
}

function reportText(out: string, report: NormaliseReport): string {
  const { header, history, recognised, ofAccounts, leftOut, contradictions } = report
  const past = history ? ` --history ${history.file}` : ''
  return [
    writtenText(out, header),
    ...(history ? [`candles of ${history.coins.join(', ')} in ${history.file}`] : []),
    ...listText('recognised', recognised),
    ...listText('of accounts, and follows from trades and orders', ofAccounts),
    ...listText('left out', leftOut),
    ...listText('contradicts', contradictions),
    `play it: tapewright serve --tape ${out}${past}`,
  ].join('\n')
}

const listText = (title: string, findings: readonly Finding[]): string[] =>
  findings.length === 0
    ? []
    : [
        `${title}:`,
        ...findings.flatMap(({ what, count, examples }) => [
          `  ${count} x ${what}`,
          ...examples.map((example) => `    ${example}`),
        ]),
      ]

/** `tape export`: converts a recording to a HAR document. */
export const exportRecording: Run<typeof TAPE_EXPORT> = async ({ flags: { out }, rest }) => {
  const { entries, messages } = await exportHar(tapeOf(rest), out, VERSION)
  console.log(`${out}: ${entries} entries, ${messages} messages on sockets`)
  return 0
}
