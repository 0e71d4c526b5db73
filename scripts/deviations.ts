/**
 * `bun run deviations`: runs every deviation between the conformance suite and a sandbox, with a
 * control plane and without, and writes the results into docs/conformance.md.
 */
import path from 'node:path'
import { UserError } from '../src/platform/user-error.ts'
import { readFlags } from '../src/server/commands/command-line.ts'
import { given, text } from '../src/server/commands/flag.ts'
import { type Outcomes, withKillTable } from '../test/conformance/deviations/run/kill-table.ts'
import {
  isSurvivor,
  LEAST,
  type Mode,
  noticedPart,
  type Outcome,
} from '../test/conformance/deviations/run/outcomes.ts'
import { sampleOf } from '../test/conformance/deviations/run/sample.ts'
import { ROOT } from './install.ts'

const USAGE = `bun run deviations [options]

Tries every deviation until a case of the suite notices it, and writes the table of
docs/conformance.md. Ends with code 1 when less is noticed than should be.

  --only ID   those whose id begins so: says which case notices each, and writes nothing`

const FLAGS = {
  only: text('ID', { about: 'those whose id begins so' }),
  help: given('prints what it does'),
} as const

const DEVIATIONS = path.join(ROOT, 'test', 'conformance', 'deviations')

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`deviations: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const { help, only } = readFlags('deviations', process.argv.slice(2), FLAGS)
  if (help) console.log(USAGE)
  if (help) return 0
  const [controlled, without] = await Promise.all([
    tried('with', only ?? ''),
    tried('without', only ?? ''),
  ])
  const outcomes: Outcomes = { with: controlled, without }
  if (only !== undefined) return printOutcomes(outcomes)
  await write(outcomes)
  const modes = ['with', 'without'] as const
  for (const mode of modes)
    console.log(`${mode} a control plane ${(noticedPart(outcomes[mode]) * 100).toFixed(2)} %`)
  return modes.every((mode) => noticedPart(outcomes[mode]) >= LEAST[mode]) ? 0 : 1
}

/** In a process of its own. */
async function tried(mode: Mode, only: string): Promise<Outcome[]> {
  const worker = path.join(DEVIATIONS, 'run', 'worker.ts')
  const run = Bun.spawn([process.execPath, worker, mode, only], { stderr: 'inherit' })
  const lines = (await new Response(run.stdout).text()).split('\n').filter((line) => line !== '')
  if ((await run.exited) !== 0) throw new UserError(`the run ${mode} a control plane has failed`)
  if (lines.length === 0) throw new UserError(`no deviation begins with ${only}`)
  return lines.map((line) => JSON.parse(line) as Outcome)
}

function printOutcomes(outcomes: Outcomes): number {
  for (const mode of ['with', 'without'] as const) {
    console.log(`\n${mode} a control plane`)
    for (const one of outcomes[mode])
      console.log(`${isSurvivor(one) ? 'SURVIVES' : (one.noticedBy ?? one.unshown)}  ${one.id}`)
  }
  return Object.values(outcomes).some((all) => all.some(isSurvivor)) ? 1 : 0
}

async function write(outcomes: Outcomes): Promise<void> {
  const page = path.join(ROOT, 'docs', 'conformance.md')
  await Bun.write(page, withKillTable(await Bun.file(page).text(), outcomes))
  const sample = path.join(DEVIATIONS, 'sample.json')
  await Bun.write(sample, `${JSON.stringify(sampleOf(outcomes.with), null, 2)}\n`)
}
