import { UserError } from '../../../platform/user-error.ts'
import { contractText, readContractSize } from '../../../tape/importers/contract-size.ts'
import { UnknownForm } from '../../../tape/importers/form-choice.ts'
import type { ContractSize } from '../../../tape/importers/importer.ts'
import { readMapping } from '../../../tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../../tape/importers/mapping/mapping-suggestion.ts'
import { Redaction } from '../../../tape/recorder/redaction/redaction.ts'
import type { TapeHeader } from '../../../tape/tape-event.ts'
import type { CrossedBook, ImportReport, ImportRequest } from '../../../tape/tape-import.ts'
import { importTape } from '../../../tape/tape-import.ts'
import type { Run } from '../command.ts'
import { INTERRUPTED_CODE, interruption } from '../interruption.ts'
import { checkIsNoSource, progressLine } from '../terminal.ts'
import type { TAPE_IMPORT } from './import-declaration.ts'
import { writtenText } from './text-output.ts'

/** `tape import`: converts recordings to a tape. */
export const importFiles: Run<typeof TAPE_IMPORT> = async ({ flags, rest }) => {
  const { out, from, map, resync, resume, tolerate, coin, contract } = flags
  checkIsNoSource(rest, out)
  const progress = progressLine()
  const { signal, stop } = interruption()
  const request: ImportRequest = {
    signal,
    resync,
    tolerate,
    resume,
    contracts: contractsNamed(contract),
    requesterPays: flags.requesterPays,
    secrets: new Redaction({}),
    onProgress: ({ lines, begun, files }) =>
      progress.show(`importing: ${lines} lines${files > 1 ? `, file ${begun} of ${files}` : ''}`),
  }
  if (from !== undefined) request.from = from
  if (coin !== undefined) request.coin = coin
  if (from !== undefined && map !== undefined)
    throw new UserError('--from names a form and --map describes one: give one of them')
  if (map !== undefined) request.mapping = readMapping(map)
  const report = await importTape(rest, out, request)
    .catch((error) => {
      // On standard output, so that it can be redirected to a file.
      if (error instanceof UnknownForm) console.log(suggestedMapping(error.sample))
      throw error
    })
    .finally(() => {
      progress.clear()
      stop()
    })
    .catch((error) => {
      if (!signal.aborted) throw error
      return null
    })
  if (report === null) {
    console.error(interruptedText(out, resume))
    return INTERRUPTED_CODE
  }
  for (const line of reportLines(out, report)) console.log(line)
  return 0
}

const interruptedText = (out: string, resume: boolean): string =>
  `tapewright: interrupted, ${out} is not written` +
  (resume ? '; the same command continues from what is kept' : '')

function reportLines(out: string, report: ImportReport) {
  const {
    header,
    lines,
    forms,
    files,
    leftOut,
    badRows,
    crossed,
    late,
    unusedContracts,
    knownContracts,
  } = report
  const many = files === 1 ? '' : ` in ${files} files`
  return [
    `${writtenText(out, header)}; ${lines} lines of ${forms.join(' and ')}${many}`,
    ...[...leftOut].map(([what, count]) => `  left out: ${count} x ${what}`),
    ...badRows.reported.map(({ place, why }) => `  tolerated: ${place} ${why}`),
    ...(badRows.count > badRows.reported.length
      ? [`  and ${badRows.count - badRows.reported.length} more that were tolerated`]
      : []),
    ...crossed.slice(0, CROSSED_SHOWN).map(crossedText),
    ...(crossed.length > CROSSED_SHOWN
      ? [`  and crossed books of ${crossed.length - CROSSED_SHOWN} more coins`]
      : []),
    ...(late.count > 0 ? [lateText(late)] : []),
    ...unusedContracts.map(
      (name) => `  not used: --contract ${name}, no symbol or coin with sizes in contracts is that`,
    ),
    ...[...knownContracts].map(contractLine),
    nextStep(out, header),
  ]
}

/** Maximum number of coins named for crossed books. */
const CROSSED_SHOWN = 5

const crossedText = ({ coin, count, firstMs, bid, ask }: CrossedBook): string =>
  `  crossed: the book of ${coin} ${count === 1 ? 'once' : `${count} times`}, first at ` +
  `${new Date(firstMs).toISOString()}: bid ${bid}, ask ${ask}`

const contractLine = ([symbol, contract]: [string, ContractSize]): string =>
  `  contracts: sizes of ${symbol} were taken for contracts of ${contractText(contract)} each; ` +
  '--contract says it otherwise'

const lateText = ({ count, mostMs }: ImportReport['late']): string =>
  `  moved: ${count} events up to ${Math.round(mostMs / 1000)} s older than those before them: ` +
  'are the files given in order?'

function nextStep(out: string, { instruments }: TapeHeader): string {
  return instruments.length > 0
    ? `play it: tapewright serve --tape ${out}`
    : `make a market of it: tapewright tape normalise ${out} --out market.tape.ndjson.zst`
}

function contractsNamed(flags: readonly string[]): Map<string, ContractSize> {
  const contracts = new Map<string, ContractSize>()
  for (const input of flags) {
    const at = input.lastIndexOf('=')
    if (at < 1)
      throw new UserError(`--contract must be a symbol and its contract, BTCUSD=100usd: "${input}"`)
    const symbol = input.slice(0, at)
    if (contracts.has(symbol)) throw new UserError(`--contract is given twice for ${symbol}`)
    contracts.set(symbol, readContractSize(input.slice(at + 1)))
  }
  return contracts
}
