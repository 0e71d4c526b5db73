/** Rounds as a command: flags, files and summary. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { shortTape } from '../../test/fixtures/short-tape.ts'
import type { StoredThings } from './stored-things.ts'
import type { ServerFiles } from './storing-server.ts'

export interface RoundsReport {
  things: StoredThings
  /** Findings; empty on success. */
  problems: string[]
}

type Rounds = (
  files: ServerFiles,
  rounds: number,
  seed: number,
  tell: (line: string) => void,
) => Promise<RoundsReport>

/** Reads `--rounds` and `--seed`, runs, reports, and exits with 1 on a finding. */
export async function runRounds(name: string, run: Rounds): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-'))
  const file = (one: string) => path.join(folder, one)
  const files = { tape: file('short.tape.ndjson'), state: file('state'), cache: file('cache') }
  try {
    await shortTape(files.tape)
    const { things, problems } = await run(files, rounds, seed, (line) => console.log(line))
    for (const problem of problems) console.error(problem)
    console.log(
      `${name}: ${rounds} rounds, seed ${seed}: ${things.made} changes made, ` +
        `${things.refused} refused, ${things.reads} reads; problems: ${problems.length}`,
    )
    process.exitCode = problems.length > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
