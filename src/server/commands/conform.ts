/** `tapewright conform`: runs the conformance suite against any implementation of the service. */

import { existsSync } from 'node:fs'
import { hostClock } from '../../clock/system-clock.ts'
import { casesNamed, judge, resultsNamed, rulesNamed } from '../../conformance/conform.ts'
import type { ConformSettings } from '../../conformance/conform-settings.ts'
import { httpTransport } from '../../conformance/http-transport.ts'
import { drawnLies } from '../../conformance/lies/lies.ts'
import { observe } from '../../conformance/observation.ts'
import { countsText, knownFailuresIn, type Report, reportOf } from '../../conformance/report.ts'
import { reasonOf } from '../../conformance/reports/failure.ts'
import { selfTest, selfTestLines, selfTestRecord } from '../../conformance/self-test.ts'
import { differences } from '../../conformance/target-differences.ts'
import {
  checkTarget,
  nonceStart,
  placeBeside,
  type TargetPlace,
  withTarget,
} from '../../conformance/target-place.ts'
import type { Look } from '../../conformance/watch/drift.ts'
import {
  lookAt,
  readOnly,
  type Sighting,
  WatchMemory,
  watch,
} from '../../conformance/watch/watch.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Run } from './command.ts'
import type { CONFORM } from './conform/declaration.ts'
import { type ConformOptions, conformOptions } from './conform/options.ts'
import { conformRecording } from './conform/recording.ts'
import { writeReports, writeText } from './conform/report-files.ts'
import { readJsonFile } from './input-file.ts'
import { INTERRUPTED_CODE, interruption } from './interruption.ts'
import { progressLine, styled, writeError, writeLine } from './terminal.ts'

/**
 * Checks the target of the flags, or watches it; code 2 when nothing could be judged or the target
 * stopped responding, 130 when it was interrupted.
 */
export const conform: Run<typeof CONFORM> = async ({ flags }) => {
  if (flags.recording.length > 0) return conformRecording(flags)
  const options = conformOptions(flags)
  const { signal, stop } = interruption()
  let hasBegun = false
  try {
    if (options.watched) return await watchTarget(options, options.watched, signal)
    const cases = casesNamed(options.only, options.exclude)
    const { only, exclude } = options
    const shown = progress(options, resultsNamed(only, exclude))
    const settings = { ...options.settings, only, exclude, signal, ...shown }
    return await withTarget(settings, async (place) => {
      hasBegun = true
      if (options.selfTest !== undefined) return testSelf(place, cases, options, settings)
      return options.diff === undefined
        ? check(place, cases, options, settings)
        : compare(place, options.diff, options.json)
    })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    if (!hasBegun) await writeReports(options.reports, unbegun(options, error.message))
    writeError(error.message)
    return signal.aborted ? INTERRUPTED_CODE : 2
  } finally {
    stop()
  }
}

/** Runs the suite and writes the reports; code 1 when a case failed. */
async function check(
  place: TargetPlace,
  cases: ReturnType<typeof casesNamed>,
  { json, observe: file, reports }: ConformOptions,
  settings: ConformSettings,
): Promise<number> {
  const report = await judge(place, cases, settings)
  if (file !== undefined && report.ended === null) {
    const observed = await observe(place.target, place.transport, hostClock, place.traffic)
    await writeText(file, `${JSON.stringify(observed, null, 2)}\n`)
  }
  await writeReports(reports, report)
  for (const note of report.notes) writeLine(note)
  console.log(json ? JSON.stringify(summaryRecord(report)) : summary(report))
  if (report.ended === null) return report.counts.failed > knownFailuresIn(report) ? 1 : 0
  writeError(`${place.base}: ${report.ended}; the report has the results until then`)
  return settings.signal?.aborted ? INTERRUPTED_CODE : 2
}

/** Tells lies about the target; code 1 when one of them is not noticed. */
async function testSelf(
  place: TargetPlace,
  cases: ReturnType<typeof casesNamed>,
  { selfTest: count = 0, json, only, exclude }: ConformOptions,
  settings: ConformSettings,
): Promise<number> {
  const { target, transport, traffic } = place
  const { seed = 1, concurrency, retries } = settings
  const line = progressLine()
  let tried = 0
  const result = await selfTest(
    { target, transport },
    {
      cases,
      rules: rulesNamed(only, exclude),
      lies: drawnLies(seed, count),
      systemClock: hostClock,
      nonce: nonceStart('lie', hostClock),
      run: {
        traffic,
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(retries === undefined ? {} : { retries }),
      },
      isOver: () => traffic.ended !== null,
      onTried: () => line.show(`${++tried} of ${count} lies`),
    },
  )
  line.clear()
  console.log(json ? JSON.stringify(selfTestRecord(result)) : selfTestLines(result).join('\n'))
  if (settings.signal?.aborted) return INTERRUPTED_CODE
  if (traffic.ended !== null) return 2
  return result.missed.length > 0 ? 1 : 0
}

/** Compares two targets; code 1 when they differ. */
async function compare(place: TargetPlace, url: string, json: boolean): Promise<number> {
  const other = placeBeside(place, url)
  await checkTarget(other.probe('first'), url)
  const found = await differences(
    () => place.probe('here'),
    () => other.probe('there'),
  )
  const lines = found.map(
    ({ operation, where }) => `${operation}\n${where.map((one) => `  ${one}\n`).join('')}`,
  )
  if (json) console.log(JSON.stringify({ differences: found }))
  else console.log(`${lines.join('')}${found.length} operations differ in form`)
  return found.length > 0 ? 1 : 0
}

/** The report of a run that could not begin, as the user requested one. */
function unbegun({ settings }: ConformOptions, why: string): Report {
  const target = 'baseUrl' in settings ? settings.baseUrl : settings.controlUrl
  return reportOf(target, [], undefined, { ended: why })
}

/** Prints a line for each failure and for each reason to skip cases. */
function progress({ quiet }: ConformOptions, all: number): Partial<ConformSettings> {
  if (quiet) return {}
  const line = progressLine()
  let done = 0
  const print = (text: string) => {
    line.clear()
    writeLine(text)
  }
  return {
    onNote: print,
    onResult(result, remainingMs) {
      const { verdict, title, message, id, known } = result
      done++
      const failed = styled('failed', 'red', process.stderr)
      const why = reasonOf(result).map((line) => `\n        ${line}`)
      if (verdict === 'failed' && known === undefined)
        print(`${failed}  ${title}\n        ${message} [${id}]${why.join('')}`)
      const left = remainingMs === null ? '' : `, about ${durationText(remainingMs)} left`
      if (done < all) line.show(`${done} of ${all}${left}`)
      else line.clear()
    },
  }
}

const durationText = (ms: number): string =>
  ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`

function summaryRecord(report: Report) {
  const { target, ended, counts, requirements, schemas } = report
  const looked = requirements.filter((one) => one.looked)
  return {
    target,
    ended,
    passed: counts.passed,
    failed: counts.failed,
    known: knownFailuresIn(report),
    skipped: counts.skipped,
    requirements: { looked: looked.length, total: requirements.length },
    schemas: { seen: schemas.seen, total: schemas.total },
  }
}

function summary(report: Report): string {
  const { requirements, schemas } = summaryRecord(report)
  return (
    `${countsText(report)}; ` +
    `${requirements.looked} of ${requirements.total} requirements checked, ` +
    `${schemas.seen} of ${schemas.total} parts of schemas seen`
  )
}

// `conform --watch`: probes a target repeatedly, a line for each pass.

/** Ends with code 0 when it is interrupted, as it has no other end. */
async function watchTarget(
  { settings, json }: ConformOptions,
  { everyMs, file }: NonNullable<ConformOptions['watched']>,
  signal: AbortSignal,
): Promise<number> {
  const target = 'baseUrl' in settings ? settings.baseUrl : ''
  const bounds = { answerMs: settings.timeoutMs }
  const reading: ConformSettings = {
    ...settings,
    signal,
    transport: readOnly(httpTransport(target, bounds)),
  }
  // An unreadable file is reported before any request is sent.
  knownIn(file, target)
  const memory = new WatchMemory()
  await watch({
    everyMs,
    systemClock: hostClock,
    signal,
    look: (known) =>
      withTarget({ ...reading, ledger: memory.ledger }, (place) => lookAt(place, hostClock, known)),
    contradictions: () => memory.contradictions(() => hostClock.yieldTurn()),
    read: () => knownIn(file, target),
    write: (known) => writeText(file, `${JSON.stringify({ target, ...known }, null, 2)}\n`),
    onSighting: (sighting) =>
      console.log(json ? JSON.stringify(sighting) : sightingText(sighting, file)),
  })
  memory.close()
  return 0
}

/** The stored results of earlier passes; null when there are none. */
function knownIn(file: string, target: string): Look | null {
  if (!existsSync(file)) return null
  const kept = parsed(file)
  if (kept === null)
    throw new UserError(`--watch-file: ${file} was not written by --watch: name another file`)
  if (kept.target !== target)
    throw new UserError(`--watch-file: ${file} is of ${kept.target}: name another for ${target}`)
  return { forms: kept.forms, questions: kept.questions }
}

function parsed(file: string): (Look & { target: string }) | null {
  try {
    const kept = readJsonFile(file, file)
    const isKept = typeof kept.target === 'string' && kept.forms && kept.questions
    return isKept ? (kept as unknown as Look & { target: string }) : null
  } catch {
    return null
  }
}

function sightingText(sighting: Sighting, file: string): string {
  const time = new Date(sighting.atMs).toISOString().replace(/\.\d+Z$/, 'Z')
  switch (sighting.kind) {
    case 'failed':
      return `${time} not probed: ${sighting.why}`
    case 'baseline': {
      const { forms, questions } = sighting
      const seen = `${forms} operations and channels, ${questions} open questions`
      return `${time} baseline: ${seen}, in ${file}`
    }
    case 'drift': {
      const { drift } = sighting
      if (drift.length === 0) return `${time} no drift`
      return [`${time} drift: ${drift.length}`, ...drift.map((line) => `  ${line}`)].join('\n')
    }
  }
}
