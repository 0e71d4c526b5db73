/**
 * What explorations have reached, in a file: what was done x operation or socket x what the client
 * did next. Plans that have reached something new are kept, and varied by later runs.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import type { JournalEntry } from '../../clients/control/records.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { UserError } from '../../platform/user-error.ts'
import { FAULTS } from '../../sandbox/scenario/faults.ts'
import { writeWhole } from '../coverage/written-coverage.ts'
import type { CarriedOut, RunRecord } from './judges.ts'
import {
  type Action,
  actionText,
  kindOfAction,
  type Level,
  type Plan,
  parsePlan,
  planText,
} from './plan.ts'
import { drawnNames } from './plan-drawing.ts'

/** What a client may do next. */
export const NEXT_STEPS = ['again', 'other', 'reconnects', 'sends', 'nothing'] as const
type NextStep = (typeof NEXT_STEPS)[number]

/** Maximum number of kept plans, of cells, and of bytes of the file. */
const [PLANS_MAX, CELLS_MAX, BYTES_MAX] = [300, 20_000, 32 << 20]

interface CorpusFile {
  format: 1
  /** Runs of all explorations. */
  runs: number
  /** The seed with which the next exploration goes on. */
  nextSeed: number
  /** Operations and sockets that the client uses. */
  subjects: string[]
  /** How often each cell was reached. */
  cells: Record<string, number>
  /** Plans that have reached something new, as the text of a `plan.yaml`; the newest last. */
  plans: string[]
}

export class Corpus {
  private readonly parsed: Plan[]

  private constructor(
    private readonly name: string,
    private readonly file: CorpusFile,
  ) {
    this.parsed = file.plans.map((text, at) => parsePlan(`${name}, plan ${at + 1}`, text))
  }

  /** Reads the corpus, or begins one; a UserError where it is none or cannot be read. */
  static open(name: string): Corpus {
    return new Corpus(name, existsSync(name) ? readCorpus(name) : newFile())
  }

  get runs(): number {
    return this.file.runs
  }

  get nextSeed(): number {
    return this.file.nextSeed
  }

  /** The kept plans of a length, oldest first. */
  plansOf(lengthMs: number): readonly Plan[] {
    return this.parsed.filter((plan) => plan.lengthMs === lengthMs)
  }

  /** Adds a run; whether it has reached something new. */
  add(run: RunRecord): boolean {
    const { file } = this
    file.runs++
    file.nextSeed = Math.max(file.nextSeed, (run.plan.seed ?? 0) + 1)
    for (const subject of subjectsOf(run.journal)) this.noteSubject(subject)
    let isNew = false
    for (const cell of cellsOf(run)) {
      const before = file.cells[cell] ?? 0
      if (before === 0 && Object.keys(file.cells).length >= CELLS_MAX) continue
      file.cells[cell] = before + 1
      isNew ||= before === 0
    }
    if (isNew && run.plan.actions.length > 0) this.keep(run.plan)
    return isNew
  }

  private noteSubject(subject: string): void {
    if (!this.file.subjects.includes(subject)) this.file.subjects.push(subject)
  }

  private keep(plan: Plan): void {
    this.parsed.push(plan)
    this.file.plans.push(planText(plan))
    if (this.parsed.length <= PLANS_MAX) return
    this.parsed.shift()
    this.file.plans.shift()
  }

  /** Writes it; a UserError where that is impossible. */
  save(): void {
    writeWhole(this.name, `${JSON.stringify(this.file, null, 1)}\n`)
  }

  /** What was reached, and what of all that a level can do to the client was never. */
  table(level: Level): CorpusTable {
    const rows = drawnNames(level).flatMap((action) =>
      this.file.subjects
        .filter((subject) => concerns(action, subject))
        .map((subject) => ({ action, subject, next: this.nextOf(action, subject) })),
    )
    return { rows, never: rows.filter(({ next }) => Object.keys(next).length === 0) }
  }

  private nextOf(action: string, subject: string): Partial<Record<NextStep, number>> {
    const counts = NEXT_STEPS.map((next) => [next, this.file.cells[cellOf(action, subject, next)]])
    return Object.fromEntries(counts.filter(([, count]) => count !== undefined))
  }
}

/** What was done to an operation or a socket, and how often the client did what next. */
interface CorpusRow {
  action: string
  subject: string
  next: Partial<Record<NextStep, number>>
}

export interface CorpusTable {
  rows: readonly CorpusRow[]
  /** Those that were never reached. */
  never: readonly CorpusRow[]
}

const NAMED_MAX = 15

/** The table in some lines. */
export function corpusText({ rows, never }: CorpusTable, runs: number): string {
  const named = never.slice(0, NAMED_MAX).map(({ action, subject }) => `  ${action} on ${subject}`)
  const more = never.length - named.length
  return [
    `corpus of ${runs} runs: ${rows.length - never.length} of ${rows.length} reached ` +
      '(what was done x operation or socket)',
    ...(never.length === 0 ? [] : ['never reached:', ...named]),
    ...(more > 0 ? [`  and ${more} more: --json`] : []),
  ].join('\n')
}

const cellOf = (action: string, subject: string, next: NextStep) =>
  `${action} | ${subject} | ${next}`

/** `disconnect` for a fault, else the kind of the action. */
export function actionName(action: Action): string {
  const { fault } = action
  if (typeof fault === 'string') return fault
  if (fault !== undefined) return Object.keys(fault as object)[0] ?? ''
  return kindOfAction(action)
}

/** Whether what is done can show on an operation or a socket. */
function concerns(action: string, subject: string): boolean {
  const fault = FAULTS.get(action)
  if (fault === undefined || fault.onRequest) return true
  const isSocket = subject.startsWith('/')
  return isSocket ? !fault.onResponse : Boolean(fault.onResponse || fault.onData)
}

// What a run has reached.

/** Session time after an action in which its effects still show, ms. */
const AFTER_MS = 1_000

/** Operations and sockets that a client uses. */
function subjectsOf(journal: readonly JournalEntry[]): Set<string> {
  return new Set(journal.flatMap((entry) => subjectOf(entry) ?? []))
}

function subjectOf(entry: JournalEntry): string | null {
  if (entry.kind === 'request') return entry.operation
  if (entry.kind !== 'socket' && entry.kind !== 'frame') return null
  return entry.path
}

/** The cells of a run, each once. */
export function cellsOf(run: Pick<RunRecord, 'journal' | 'carriedOut' | 'startMs'>): Set<string> {
  const { journal, carriedOut, startMs } = run
  const steps = nextSteps(journal)
  const cells = new Set<string>()
  for (const done of carriedOut) {
    if (done.refused !== null) continue
    const rule = `${done.number + 1} ${actionText(done.action)}`.slice(0, 200)
    for (const [at, entry] of journal.entries()) {
      const atMs = entry.sessionMs - startMs
      if (atMs < done.atMs || atMs > done.untilMs + AFTER_MS) continue
      const subject = subjectOf(entry)
      if (subject === null || !isReached(entry, done, rule)) continue
      cells.add(cellOf(actionName(done.action), subject, steps(at)))
    }
  }
  return cells
}

/** A fault has to have acted on it; anything else shows on whatever the client does. */
function isReached(entry: JournalEntry, { action }: CarriedOut, rule: string): boolean {
  if (action.fault !== undefined) return entry.rule?.includes(rule) ?? false
  return entry.kind === 'request' || (entry.kind === 'socket' && entry.event !== 'fault')
}

/** What the client did after an entry, by its place: found from the end. */
function nextSteps(journal: readonly JournalEntry[]): (at: number) => NextStep {
  const following: (JournalEntry | undefined)[] = []
  let next: JournalEntry | undefined
  for (let at = journal.length - 1; at >= 0; at--) {
    following[at] = next
    if (isOfClient(journal[at] as JournalEntry)) next = journal[at]
  }
  return (at) => stepOf(journal[at] as JournalEntry, following[at])
}

function isOfClient(entry: JournalEntry): boolean {
  if (entry.kind === 'request') return true
  if (entry.kind === 'frame') return entry.direction === 'in'
  return entry.kind === 'socket' && (entry.event === 'opened' || entry.event === 'refused')
}

function stepOf(entry: JournalEntry, next: JournalEntry | undefined): NextStep {
  if (next === undefined) return 'nothing'
  if (next.kind === 'socket') return 'reconnects'
  if (next.kind === 'frame') return 'sends'
  return subjectOf(entry) === subjectOf(next) ? 'again' : 'other'
}

// The file.

const newFile = (): CorpusFile => ({
  format: 1,
  runs: 0,
  nextSeed: 0,
  subjects: [],
  cells: {},
  plans: [],
})

function readCorpus(name: string): CorpusFile {
  const read = parsed(name)
  const isOurs = isJsonObject(read) && 'cells' in read && 'plans' in read
  if (!isOurs)
    throw new UserError(`--corpus: ${name} is no corpus of \`explore\`: name another file`)
  if (read.format !== 1)
    throw new UserError(`--corpus: ${name} has format ${read.format}, this version reads 1`)
  const { runs, nextSeed, subjects, cells, plans } = read
  const isWhole =
    [runs, nextSeed].every((one) => Number.isSafeInteger(one)) &&
    areTexts(subjects) &&
    areTexts(plans) &&
    isJsonObject(cells) &&
    Object.values(cells).every((count) => Number.isSafeInteger(count))
  if (!isWhole) throw new UserError(`--corpus: ${name} is damaged: name another file`)
  return read as unknown as CorpusFile
}

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function parsed(name: string): unknown {
  try {
    const { size } = statSync(name)
    if (size > BYTES_MAX) throw new Error(`it has ${size} bytes, at most ${BYTES_MAX}`)
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch (error) {
    throw new UserError(`--corpus: ${name} cannot be read: ${(error as Error).message}`)
  }
}
