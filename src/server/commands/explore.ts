/** `tapewright explore`: finds where a client breaks. */

import { hostClock } from '../../clock/system-clock.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import { createSandbox } from '../embedding/bun.ts'
import { programClient } from '../explore/clients.ts'
import { Corpus, type CorpusTable, corpusText } from '../explore/corpus.ts'
import { type Exploration, explored } from '../explore/exploration.ts'
import { DEFAULTS } from '../explore/explore.ts'
import { failureText, JUDGE_IDS } from '../explore/judges.ts'
import { parsePlan } from '../explore/plan.ts'
import { reportText, writeResult } from '../explore/result-folder.ts'
import type { RunSettings } from '../explore/run.ts'
import type { FlagValues, Run } from './command.ts'
import type { EXPLORE } from './explore/declaration.ts'
import { readTextFile } from './input-file.ts'
import { INTERRUPTED_CODE, interruption } from './interruption.ts'
import { progressLine, writeError, writeLine } from './terminal.ts'

/** Explores the command; code 1 for a failure, 2 where it fails without trouble. */
export const explore: Run<typeof EXPLORE> = async ({ flags, rest: command }) => {
  const { runs, seed, level, coins, length, plan: file, parallel, json } = flags
  const unknown = flags.without.find((id) => !JUDGE_IDS.includes(id))
  if (unknown !== undefined)
    throw new UserError(`--without: ${unknownText('judge', unknown, [...JUDGE_IDS])}`)
  const plan = file === undefined ? null : parsePlan(file, readTextFile(file, `--plan: ${file}`))
  const corpus = flags.corpus === undefined ? null : Corpus.open(flags.corpus)
  const { signal, stop } = interruption()
  const line = progressLine()
  const options = {
    runs: plan === null ? runs : 1,
    forMs: flags.for ?? null,
    seed,
    level,
    lengthMs: length,
    coins,
    parallel,
    plan,
    corpus,
    shrinkRuns: flags.shrink,
    onRun: (_: unknown, done: number) => line.show(`${done} runs`),
    onFailure: (_: unknown, failure: Parameters<typeof failureText>[0]) => {
      line.clear()
      writeLine(`found ${failureText(failure)}; shrinking it`)
    },
  }
  try {
    const outcome = await explored(programClient(command), options, settingsOf(flags, signal))
    line.clear()
    if (outcome.found !== null) writeFound(outcome, flags, command)
    const table = corpus?.table(level) ?? null
    if (json) console.log(JSON.stringify(summaryRecord(outcome, table)))
    else if (outcome.found === null) console.log(survivedText(outcome))
    if (corpus && table && !json) console.log(corpusText(table, corpus.runs))
    if (signal.aborted) return INTERRUPTED_CODE
    return outcome.found === null ? 0 : 1
  } catch (error) {
    line.clear()
    if (!(error instanceof UserError)) throw error
    writeError(error.message)
    return 2
  } finally {
    stop()
  }
}

function settingsOf(
  { clock, timeout, without, coverage }: FlagValues<typeof EXPLORE.flags>,
  signal: AbortSignal,
): RunSettings {
  return {
    clock,
    speed: 1,
    quietMs: DEFAULTS.quietMs,
    patienceMs: DEFAULTS.patienceMs,
    timeLimitMs: timeout,
    without: new Set(without),
    sandbox: coverage === undefined ? {} : { coverage },
    createSandbox,
    systemClock: hostClock,
    signal,
  }
}

function writeFound(
  { found }: Exploration,
  { out, json }: FlagValues<typeof EXPLORE.flags>,
  command: readonly string[],
): void {
  if (found === null) return
  const folder = out ?? `explore-${found.plan.seed ?? 'plan'}`
  writeResult(folder, found, command)
  if (json) return
  console.log(reportText(found))
  console.log(`in ${folder}: plan.yaml, scenario.yaml, replay.sh, journal.ndjson, timeline.html`)
  console.log(`again: tapewright explore --plan ${folder}/plan.yaml -- ${command.join(' ')}`)
}

function summaryRecord({ runs, found, reached }: Exploration, corpus: CorpusTable | null) {
  return {
    ...(corpus === null ? {} : { corpus: corpus.rows }),
    runs,
    reached: Object.fromEntries(reached),
    failure: found && {
      ...found.failure,
      seed: found.plan.seed ?? null,
      actions: found.plan.actions.length,
      rate: found.rate,
      shrinkRuns: found.runs,
    },
  }
}

function survivedText({ runs, calm, reached }: Exploration): string {
  const names = [...reached].toSorted(([, a], [, b]) => b - a)
  const list = names.map(([name, count]) => `${name} ${count}`).join(', ')
  return (
    `nothing found in ${runs} runs; it makes ${calm.requests} requests and has ` +
    `${calm.connections} sockets in a calm one\ncarried out: ${list || 'nothing'}`
  )
}
