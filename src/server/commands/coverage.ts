/** `tapewright coverage`: which sentences of the contract clients have met. */

import { unknownText } from '../../contract/fields/nearest-name.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { UserError } from '../../platform/user-error.ts'
import {
  addedCoverage,
  type CoverageFile,
  coverageFileOf,
  coverageText,
} from '../coverage/coverage-file.ts'
import { coveragePage } from '../coverage/coverage-page.ts'
import {
  type CoverageReport,
  coverageGroups,
  coverageReport,
  metPercent,
  pointsHash,
} from '../coverage/coverage-report.ts'
import { badgeSvg, coverageLines, lcovText } from '../coverage/coverage-texts.ts'
import { writeWhole } from '../coverage/written-coverage.ts'
import type { FlagValues, Run } from './command.ts'
import type { COVERAGE } from './coverage/declaration.ts'
import { readJsonFile } from './input-file.ts'
import { answered, sandboxOf } from './running-server.ts'
import { writeError } from './terminal.ts'

type Flags = FlagValues<typeof COVERAGE.flags>

/** Reports the coverage of files or of a running sandbox; code 1 below the threshold. */
export const coverage: Run<typeof COVERAGE> = async ({ flags, rest: names }) => {
  const { group, out, badge, threshold } = flags
  const groups = coverageGroups()
  const unknown = group.find((one) => !groups.includes(one))
  if (unknown !== undefined)
    throw new UserError(`--group: ${unknownText('group', unknown, groups)}`)
  const file = names.length > 0 ? filesAdded(names) : await runningCoverage(flags)
  const report = coverageReport(file, group)
  const text = textOf(flags.report, report, file)
  const percent = metPercent(report)
  if (out === undefined) console.log(text.trimEnd())
  else {
    writeWhole(out, text.endsWith('\n') ? text : `${text}\n`)
    console.log(`${out}: ${percent} % of the requirements were met`)
  }
  if (badge !== undefined) writeWhole(badge, badgeSvg(report))
  if (threshold === undefined || percent >= threshold) return 0
  writeError(`${percent} % of the requirements were met, and --threshold is ${threshold} %`)
  return 1
}

async function runningCoverage(flags: Flags): Promise<CoverageFile> {
  return coverageFileOf(await answered(sandboxOf(flags).coverage({ limit: 1 })))
}

function textOf(form: Flags['report'], report: CoverageReport, file: CoverageFile): string {
  switch (form) {
    case 'text':
      return coverageLines(report, file)
    case 'json':
      return `${JSON.stringify({ percent: metPercent(report), ...report }, null, 1)}\n`
    case 'lcov':
      return lcovText(report)
    case 'html':
      return coveragePage(report, file)
    case 'file':
      return coverageText(file)
  }
}

/** The sum of files. */
function filesAdded(names: readonly string[]): CoverageFile {
  const [first, ...others] = names.map(readCoverage)
  return others.reduce(addedCoverage, first as CoverageFile)
}

/** A coverage file; a UserError says what is wrong with another one. */
function readCoverage(name: string): CoverageFile {
  const read = readJsonFile(name, name)
  const isOurs = read.format === 1 && typeof read.contract === 'string' && isJsonObject(read.points)
  if (!isOurs)
    throw new UserError(
      `${name} is no coverage file: name one of createSandbox({ coverage }) or of ` +
        '`tapewright coverage --report file`',
    )
  if (read.contract !== pointsHash())
    throw new UserError(
      `${name} is of another version of Tapewright (points ${shown(read.contract)}, here ` +
        `${pointsHash()}): use the version that has written it, or measure again`,
    )
  const { runs = 1, scenarios = [], questions, leniencies, beyond } = read
  const isWhole =
    Object.values(read.points as object).every(isMet) &&
    Number.isSafeInteger(runs) &&
    Array.isArray(scenarios) &&
    scenarios.every((one) => typeof one === 'string') &&
    [questions, leniencies, beyond].every(isCounts)
  if (!isWhole)
    throw new UserError(`${name} is a damaged coverage file: one of its counts is no whole number`)
  return coverageFileOf(read as unknown as CoverageFile)
}

const shown = (value: unknown) => String(value).slice(0, 20)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const isMet = (value: unknown): boolean =>
  isJsonObject(value) && isCount(value.met) && isCount(value.handled)

const isCounts = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every(isCount)
