/**
 * The steps of `bun run check` and `bun run test`. They run beside one another, and each answers
 * with a tally. Imports nothing but what Bun brings along.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { ROOT } from './install.ts'
import { firstTimings } from './test-order.ts'
import { type Tally, tallyOf } from './test-tally.ts'

/**
 * Biome, which changes nothing here; `bun x biome check --write` mends what it can. Counts as one.
 */
export function formatAndLint(): Promise<Tally> {
  const biome = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return step('format and lint', [biome, 'check', '--error-on-warnings', '.'])
}

/** The type checker, which looks again at what has changed since it last ran. Counts as one. */
export const types = (): Promise<Tally> => typesOf('types', '.')

/** The same for the console, which is written for pages. */
export const consoleTypes = (): Promise<Tally> =>
  typesOf('types of the console', 'src/pages/console')

function typesOf(name: string, project: string): Promise<Tally> {
  const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc')
  const known = path.join('.cache', `${name.replaceAll(' ', '-')}.tsbuildinfo`)
  return step(name, [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', known])
}

/**
 * Every test below the given folders or files, which start with `./` or `/`. Names each file as
 * its first test ends. All that `bun test` prints, and how long each file takes, is kept in
 * `.cache/tests/<run>`, for a later run to begin with the slowest.
 */
export async function tests(places: readonly string[], run: string): Promise<Tally> {
  const folder = path.join(ROOT, '.cache', 'tests', run)
  mkdirSync(folder, { recursive: true })
  const timings = path.join(folder, 'timings.json')
  if (!existsSync(timings)) writeFileSync(timings, JSON.stringify(firstTimings()))
  const reportFile = path.join(folder, `junit-${process.pid}.xml`)
  const flags = [
    `--timeout=${HANGING_MS}`,
    `--parallel=${Math.min(MOST_WORKERS, availableParallelism() + 1)}`,
    // A world that is open, and code that is warm, serves the next file as well.
    '--no-isolate',
    ...['--reporter=junit', `--reporter-outfile=${reportFile}`],
    ...[`--timings=${timings}`, '--update-timings'],
  ]
  try {
    const seen = new Set<string>()
    const { code, printed } = await ran(['test', ...flags, ...places], (line) => {
      const [, file] = /^(\S+\.test\.ts):$/.exec(line) ?? []
      if (file !== undefined && !seen.has(file)) console.log(file)
      if (file !== undefined) seen.add(file)
    })
    await Bun.write(path.join(folder, 'printed.log'), printed)
    const report = Bun.file(reportFile)
    return tallyOf((await report.exists()) ? await report.text() : '', printed, code)
  } finally {
    rmSync(reportFile, { force: true })
  }
}

/** A test that has not ended by then never will. No test is judged by the time that it takes. */
const HANGING_MS = 600_000

/** Each holds worlds in memory. There is one more than processors: some wait for a program. */
const MOST_WORKERS = 4

async function step(name: string, command: string[]): Promise<Tally> {
  const { code, printed } = await ran(command)
  console.log(code === 0 ? name : `${name}: failed`)
  if (code === 0) return { passed: 1, failed: [], skipped: 0 }
  return { passed: 0, failed: [{ name, says: printed }], skipped: 0 }
}

/**
 * Runs this same Bun, so that it does not matter what else is installed on the machine. Answers
 * with all that was printed, and calls `onLine` with each line as it comes.
 */
async function ran(args: readonly string[], onLine: (line: string) => void = () => {}) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    // What tests start is to run as users start it; the script above this one ends it all.
    env: { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of stream) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        printed += `${line}\n`
        onLine(line)
      }
    }
    printed += rest
  }
  await Promise.all([read(child.stdout), read(child.stderr)])
  return { code: await child.exited, printed }
}
