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
}

/** Biome, without changes; `bun x biome check --write` fixes most findings. Counts as one. */
export function formatAndLint(): Promise<Tally> {
  const biome = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return step('format and lint', [biome, 'check', '--error-on-warnings', '.'])
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
    const known = await textOf(path.join(kept, 'timings.json'))
    // All parts use the same durations, whatever another run writes meanwhile.
    writeFileSync(path.join(drafts, 'known.json'), known ?? '{"version": 1, "files": {}}')
    const tallies = await parts(places, { kept, drafts })
    const measured = Object.assign({}, ...tallies.map(({ files }) => files))
    const files = { ...(known === null ? {} : JSON.parse(known).files), ...measured }
    const next = path.join(kept, `timings.${process.pid}.json`)
    writeFileSync(next, JSON.stringify({ version: 1, files }))
    renameSync(next, path.join(kept, 'timings.json'))
    return tallies
  } finally {
    rmSync(drafts, { recursive: true, force: true })
  }
}

async function textOf(file: string): Promise<string | null> {
  return existsSync(file) ? Bun.file(file).text() : null
}

interface Folders {
  /** Folder of files kept after the run. */
  kept: string
  /** Folder of temporary files. */
  drafts: string
}

async function parts(places: readonly string[], folders: Folders): Promise<Tally[]> {
  const workers = Math.min(MOST_WORKERS, Math.max(2, availableParallelism()))
  const files = places.reduce((sum, place) => sum + testFiles(place), 0)
  const count = Math.min(files, workers * Math.ceil(files / workers / FILES_OF_PART)) || 1
  const left = Array.from({ length: count }, (_, n) => n + 1)
  const tallies: Tally[] = []
  const work = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const tally = await partOfTests(places, `${part}/${count}`, folders)
      tallies.push(tally)
      const { passed, failed } = tally
      console.log(`tests, ${tallies.length} of ${count}: ${passed} passed, ${failed} failed`)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return tallies
}

/** Each holds worlds in memory. As many as processors: where one waits for a program, that runs. */
const MOST_WORKERS = 4

/**
 * So many files keep a process below 1.5 GB; one starts in a second. Nothing makes the engine
 * collect garbage earlier than it does by itself: a heap bounded to 1 GB took a third more time.
 */
const FILES_OF_PART = 12

/** Number of test files in a folder or file. */
function testFiles(place: string): number {
  const full = path.resolve(ROOT, place)
  if (!statSync(full, { throwIfNoEntry: false })?.isDirectory()) return 1
  return [...new Bun.Glob('**/*.test.ts').scanSync(full)].length
}

/** A test still running then hangs. No test is judged by its duration. */
const HANGING_MS = 600_000

async function partOfTests(places: readonly string[], shard: string, { kept, drafts }: Folders) {
  const name = `part-${shard.replace('/', '-of-')}`
  // Bun writes the first.
  const timings = path.join(drafts, `${name}.json`)
  const command = [
    ...['test', '--only-failures', `--timeout=${HANGING_MS}`, `--shard=${shard}`],
    ...[`--timings=${timings}`, `--timings=${path.join(drafts, 'known.json')}`],
    '--update-timings',
    ...places,
  ]
  const { code, out, err } = await ran(command)
  await Bun.write(path.join(kept, `${name}.log`), out + err)
  const measured = await textOf(timings)
  return { ...tallyOf(err, code), files: measured === null ? {} : JSON.parse(measured).files }
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

/** Runs the present Bun, independent of other installed ones. */
async function ran(args: readonly string[]) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    // Programs of tests must run as users start them; the parent script ends all processes.
    env: { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, out, err }
}
