/** `bun run soak`: churns a server from a seed for a given time, and fails when a measure grows. */

import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { file, given, number, wholeNumber } from '../../src/server/commands/flag.ts'
import { type MeasuredTrend, trendsOf } from './measures.ts'
import { plot } from './plot.ts'
import { ServerProcess } from './server-process.ts'
import { Soaking } from './soaking.ts'

const USAGE = `bun run soak [options]

Makes, uses and drops sandboxes, sockets, scenarios and journals of a server of its own, and takes
a sample of its process after each round, when all is gone again. Ends with code 1 when memory,
handles or waiting times grow, or when something is left; bench/soak/trend.ts says what counts
as growth.

  --minutes N   how long (60)
  --seed N      what is done (1)
  --acts N      how much is done in a round (400)
  --plot FILE   writes the samples as a drawing (SVG)`

const FLAGS = {
  minutes: number(0, 100_000, { about: 'how long', default: 60 }),
  seed: wholeNumber(
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { about: 'what is done', default: 1 },
  ),
  acts: wholeNumber({ min: 1, max: 1_000_000 }, { about: 'how much in a round', default: 400 }),
  plot: file({ about: 'writes the samples as a drawing (SVG)' }),
  help: given('prints what it does'),
} as const

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`soak: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const flags = readFlags('soak', process.argv.slice(2), FLAGS)
  if (flags.help) console.log(USAGE)
  if (flags.help) return 0
  const { minutes, seed, acts } = flags
  const server = await ServerProcess.start()
  try {
    const soaking = new Soaking(server)
    const endMs = performance.now() + minutes * 60_000
    for (let round = 0; performance.now() < endMs; round++) {
      const { minute, heapMb, residentMb, handles } = await soaking.round(`${seed}/${round}`, acts)
      const figures = [`heap ${heapMb.toFixed(1)} MB`, `resident ${residentMb.toFixed(0)} MB`]
      console.error(`minute ${minute.toFixed(1)}: ${figures.join(', ')}, ${handles} handles`)
    }
    return await report(soaking, flags.plot, `${minutes} minutes of churning, seed ${seed}`)
  } finally {
    await server.kill()
  }
}

async function report(soaking: Soaking, file: string | undefined, title: string): Promise<number> {
  const trends = trendsOf(soaking.samples)
  const { sandboxes, sockets, answered, refused, lost } = soaking.counts
  console.log(
    `${title}: ${soaking.samples.length} rounds, ${sandboxes} sandboxes, ${sockets} sockets, ` +
      `${answered} answers, ${refused} refusals, ${lost} connections that scenarios lost\n`,
  )
  console.log(tableOf(trends))
  if (file !== undefined) await Bun.write(file, plot(title, soaking.samples, trends))
  const growing = trends.filter(({ trend }) => trend.verdict === 'grows')
  for (const { measure } of growing) console.error(`soak: ${measure.name} grows`)
  const left = soaking.samples.filter(
    ({ sandboxes, connections }) => sandboxes > 1 || connections > 0,
  )
  if (left.length > 0) console.error(`soak: after ${left.length} rounds something was left`)
  return growing.length + left.length > 0 ? 1 : 0
}

/** A row for each measure. */
function tableOf(trends: readonly MeasuredTrend[]): string {
  const head = `${'measure'.padEnd(18)}${'median'.padStart(12)}${'growth'.padStart(12)}`
  const rows = trends.map(({ measure, trend }) => {
    const figures = [trend.median, trend.growth, trend.certainty]
    const columns = figures.map((value) => value.toFixed(1).padStart(12)).join('')
    return `${measure.name.padEnd(18)}${columns}  ${trend.verdict}`
  })
  return [`${head}${'certainty'.padStart(12)}`, ...rows].join('\n')
}
