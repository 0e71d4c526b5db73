/**
 * The steps of `bun run check` and `bun run test`. Each passes its output on as it comes and
 * answers with a tally. Imports nothing but what Bun brings along.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './install.ts'
import { type Tally, tallyOf } from './tally.ts'

/**
 * Biome, which changes nothing here; `bun x biome check --write` mends what it can. Counts as one.
 */
export function formatAndLint(): Tally {
  const biome = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  return step('format and lint', [biome, 'check', '--error-on-warnings', '.'])
}

/** The type checker. Counts as one. */
export function types(): Tally {
  return step('types', [path.join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'])
}

/** Every test below the given folders or files, which start with `./` or `/`. */
export async function tests(places: string[]): Promise<Tally> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-test-'))
  const reportFile = path.join(folder, 'junit.xml')
  const flags = ['--timeout=60000', '--reporter=junit', `--reporter-outfile=${reportFile}`]
  try {
    const code = run(['test', ...flags, ...places])
    const report = Bun.file(reportFile)
    return tallyOf((await report.exists()) ? await report.text() : '', code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function step(name: string, command: string[]): Tally {
  console.log(`${name}`)
  const passed = run(command) === 0
  return { passed: passed ? 1 : 0, failed: passed ? [] : [name], skipped: 0 }
}

/** Runs this same Bun, so that it does not matter what else is installed on the machine. */
function run(words: string[]): number {
  return Bun.spawnSync([process.execPath, ...words], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  }).exitCode
}
