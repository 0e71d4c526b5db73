import { PROJECT_FOLDER } from '../../../platform/environment.ts'
import type { BenchmarkResult } from './performance-page.ts'

/**
 * Runs a benchmark: a program that prints one row as JSON a line (bench/measure/result-row.ts).
 * What it has measured before it ended badly is kept, and a row says that the rest is missing.
 */
export async function runBenchmark(
  name: string,
  program: string,
): Promise<BenchmarkResult & { endedBadly: boolean }> {
  const child = Bun.spawn([process.execPath, program], {
    cwd: PROJECT_FOLDER,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = (await new Response(child.stdout).text()).split('\n').filter(Boolean)
  const code = await child.exited
  const rows: BenchmarkResult['rows'] = lines.map((line) => JSON.parse(line))
  if (code !== 0) rows.push({ name: `the rest of ${name}`, why: `it ended with code ${code}` })
  return { name, rows, endedBadly: code !== 0 }
}
