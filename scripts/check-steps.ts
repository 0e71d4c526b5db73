/**
 * The steps of `bun run check` and `bun run test`. They run concurrently, and each returns its
 * counts. Imports nothing beyond Bun.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './install.ts'

/** Counts of a step. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
  /** Output of a failed step, else empty. */
  says: string
  /** Duration of each test file, ms. */
  files?: Readonly<Record<string, number>>
  /** Of a part of the tests, with the programs that it has started. */
  cost?: Cost
}

/** What a process took. */
export interface Cost {
  name: string
  /** Processor time, with that of ended child processes, ms. */
  processorMs: number
  /** Largest resident memory, bytes. */
  peakBytes: number
}

/** Biome, without changes; `bun x biome check --write` fixes most findings. Counts as one. */
export function formatAndLint(): Promise<Tally> {
  const biome = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return step('format and lint', [biome, 'check', '--error-on-warnings', '.'])
}

/** The order and the doors of the modules: dependency-cruiser. Counts as one. */
export function modules(): Promise<Tally> {
  const cruiser = path.join('node_modules', '.bin', 'depcruise')
  return step('modules', [cruiser, 'src', '--output-type', 'err-long'])
}

/** The type checker, incremental. Counts as one. */
export const types = (): Promise<Tally> => typesOf('types', '.')

/** The same for the console, which is written for browsers. */
export const consoleTypes = (): Promise<Tally> =>
  typesOf('types of the console', 'src/pages/console')

function typesOf(name: string, project: string): Promise<Tally> {
  const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc')
  const known = path.join('.cache', `${name.replaceAll(' ', '-')}.tsbuildinfo`)
  return step(name, [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', known])
}

async function step(name: string, command: string[]): Promise<Tally> {
  const { code, out, err } = await ran(command)
  console.log(code === 0 ? name : `${name}: failed`)
  if (code === 0) return { passed: 1, failed: 0, skipped: 0, says: '' }
  return { passed: 0, failed: 1, skipped: 0, says: `failed: ${name}\n${out}${err}` }
}

/**
 * Runs every test below the given folders or files, which start with `./` or `/`. They run in
 * parts, each in a process of its own, a few at a time, so that memory is freed with the process.
 * Prints each part's name when it ends. Output of `bun test` and durations per file are kept in
 * `.cache/tests/<run>`; the durations balance the parts of the next run.
 */
export async function tests(places: readonly string[], run: string): Promise<Tally[]> {
  const kept = path.join(ROOT, '.cache', 'tests', run)
  mkdirSync(kept, { recursive: true })
  const drafts = mkdtempSync(path.join(tmpdir(), 'tapewright-tests-'))
  try {
    const timings = path.join(kept, 'timings.json')
    const known: Durations = existsSync(timings) ? (await Bun.file(timings).json()).files : {}
    const tallies = await allParts(partsOf(places.flatMap(testFiles), known), { kept, drafts })
    const files = Object.assign({ ...known }, ...tallies.map((tally) => tally.files))
    const next = path.join(kept, `timings.${process.pid}.json`)
    writeFileSync(next, JSON.stringify({ version: 1, files }))
    renameSync(next, timings)
    return tallies
  } finally {
    rmSync(drafts, { recursive: true, force: true })
  }
}

interface Folders {
  /** Folder of files kept after the run. */
  kept: string
  /** Folder of temporary files. */
  drafts: string
}

/** Duration of each test file by its path, ms. */
type Durations = Readonly<Record<string, number>>

async function allParts(left: readonly string[][], folders: Folders): Promise<Tally[]> {
  const workers = Math.min(MOST_WORKERS, Math.max(2, availableParallelism()))
  const tallies: Tally[] = []
  const waiting = [...left.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, files] = next
      const tally = await partOfTests(files, `part-${at + 1}-of-${left.length}`, folders)
      tallies.push(tally)
      const { passed, failed } = tally
      console.log(`tests, ${tallies.length} of ${left.length}: ${passed} passed, ${failed} failed`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return tallies
}

/** Each holds worlds in memory. As many as processors: where one waits for a program, that runs. */
const MOST_WORKERS = 4

/** A process of so many files stays below 1.5 GB, and one starts in seconds. */
const [PART_FILES, PART_MS] = [12, 60_000]

/** Of a file that never ran here. */
const UNKNOWN_MS = PART_MS / PART_FILES

/**
 * Parts of a dozen files and about a minute at most, the longest first. Neighbours stay together:
 * the files of a folder read the same worlds, and what one of them has computed of a world, the
 * next ones find.
 */
export function partsOf(files: readonly string[], known: Durations): string[][] {
  const parts: { files: string[]; ms: number }[] = []
  for (const file of [...new Set(files)].sort()) {
    const ms = known[path.relative(ROOT, path.resolve(ROOT, file))] ?? UNKNOWN_MS
    const last = parts.at(-1)
    if (last && last.files.length < PART_FILES && last.ms + ms <= PART_MS) {
      last.files.push(file)
      last.ms += ms
    } else parts.push({ files: [file], ms })
  }
  return parts.sort((a, b) => b.ms - a.ms).map((part) => part.files)
}

/** The test files of a folder, or the file itself. */
function testFiles(place: string): string[] {
  const full = path.resolve(ROOT, place)
  if (!statSync(full, { throwIfNoEntry: false })?.isDirectory()) return [place]
  return [...new Bun.Glob('**/*.test.ts').scanSync(full)].map((name) => `${place}/${name}`)
}

/** A test still running then hangs. No test is judged by its duration. */
const HANGING_MS = 600_000

async function partOfTests(files: readonly string[], name: string, { kept, drafts }: Folders) {
  // Bun writes it.
  const timings = path.join(drafts, `${name}.json`)
  const command = [
    ...['test', '--only-failures', `--timeout=${HANGING_MS}`],
    ...[`--timings=${timings}`, '--update-timings'],
    ...files,
  ]
  const { code, out, err, processorMs, peakBytes } = await ran(command)
  await Bun.write(path.join(kept, `${name}.log`), out + err)
  const measured: Durations = existsSync(timings) ? (await Bun.file(timings).json()).files : {}
  return { ...tallyOf(err, code), files: measured, cost: { name, processorMs, peakBytes } }
}

/**
 * Parses the standard error of `bun test`. A bad exit without a failed test (a crash, say) counts
 * as one failure.
 */
export function tallyOf(printed: string, code: number): Tally {
  const counts: Record<string, number> = {}
  for (const [, count, what = ''] of printed.matchAll(/^ *(\d+) (pass|fail|skip|todo)$/gm))
    counts[what] = Number(count)
  const { pass: passed = 0, fail = 0, skip = 0, todo = 0 } = counts
  const failed = code !== 0 && fail === 0 ? 1 : fail
  const end = failed > fail ? `the test run itself ended with code ${code}\n` : ''
  return { passed, failed, skipped: skip + todo, says: failed === 0 ? '' : printed + end }
}

/**
 * The engine without its last compiler, which compiles longer than a part gains by it, and without
 * collecting garbage beside the program: on busy processors that comes late, and memory grows. It
 * marks in one thread: two that wait for each other take a sixth more processor time. Its heap
 * grows in steps as on a machine of 1 GB: a part of large worlds needs a third less memory.
 */
const ENGINE = {
  BUN_JSC_numberOfGCMarkers: '1',
  BUN_JSC_useFTLJIT: 'false',
  BUN_JSC_useConcurrentGC: 'false',
  BUN_JSC_forceRAMSize: String(2 ** 30),
}

/** Runs the present Bun, independent of other installed ones. */
async function ran(args: readonly string[]) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    // Programs of tests must run as users start them; the parent script ends all processes.
    env: { ...ENGINE, ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  const code = await child.exited
  const usage = child.resourceUsage()
  return {
    code,
    out,
    err,
    processorMs: Number(usage?.cpuTime.total ?? 0) / 1000,
    peakBytes: usage?.maxRSS ?? 0,
  }
}
