/**
 * Benchmark of isolation: a bystander makes signed reads of its own sandbox at a steady pace, while
 * another client puts the heaviest known loads on its sandbox.
 *
 * Server, bystander and load are a process each, and each load gets a server of its own. The
 * baseline is the bystander's p99 without load, over the servers of all loads. `bun
 * bench/isolation.ts PART` measures only the loads with PART in their names.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tradersOf } from '../src/market/rows/traders.ts'
import type { BystanderOrder, BystanderReport } from './isolation/bystander.ts'
import { ChildProcess } from './isolation/child-process.ts'
import { p99 } from './isolation/latencies.ts'
import type { Load } from './isolation/load.ts'
import { LOADS, type LoadOrder, type LoadReport } from './isolation/load-generator.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { type Served, serve } from './measure/processes.ts'
import { row, unmeasured } from './measure/result-row.ts'

/** Time for a server to read ahead. */
const WARM_MS = 1_500
const IDLE_MS = 1_000
/** After a shorter load, its remaining work is measured as well. */
const LEAST_MS = 2_000
/** A longer load is ended with its server. */
const MOST_MS = 20_000
const PREPARING_MOST_MS = 60_000

/** Limits of a bystander's wait: a multiple of the idle p99, or ms if that is more. */
const ALLOWED = { p99: { times: 5, ms: 25 }, worst: { times: 12, ms: 60 } }

interface Measured {
  load: Load
  idleMs: number[]
  listMs: number[]
  /** Why the load failed. */
  failed: string | null
}

const cache = mkdtempSync(path.join(tmpdir(), 'tapewright-isolation-'))
const addresses = await accounts()

const wanted = LOADS.filter(({ name }) => name.includes(process.argv[2] ?? ''))
const all: Measured[] = []
for (const load of wanted) all.push(await measure(load))
rmSync(cache, { recursive: true })
report(all)
process.exit(0)

async function accounts(): Promise<string[]> {
  const { world, registry } = await benchMarket(1)
  const list = tradersOf(world).list.map(({ address }) => address)
  registry.close()
  return list.slice(0, 2_000)
}

async function measure(load: Load): Promise<Measured> {
  const server = await serve(['--max-sockets', '20000'], { TAPEWRIGHT_CACHE: cache })
  const bystander = new ChildProcess<BystanderOrder, BystanderReport>('bystander.ts')
  const generator = new ChildProcess<LoadOrder, LoadReport>('load-generator.ts')
  try {
    return await measureOn(server, bystander, generator, load)
  } finally {
    bystander.kill()
    generator.kill()
    await server.kill()
  }
}

async function measureOn(
  { port }: Served,
  bystander: ChildProcess<BystanderOrder, BystanderReport>,
  generator: ChildProcess<LoadOrder, LoadReport>,
  load: Load,
): Promise<Measured> {
  const made = await fetch(`http://127.0.0.1:${port}/_control/sandboxes`, {
    method: 'POST',
    body: '{"name":"bystander"}',
  })
  const { keys } = (await made.json()) as {
    keys: { full: { accessKey: string; secretKey: string } }
  }
  bystander.send({ order: 'read', port, key: keys.full })
  const spanOf = async (done: Promise<unknown>) => {
    bystander.send({ order: 'begin' })
    await done
    return (await bystander.ask({ order: 'end' }, MOST_MS))?.listMs ?? []
  }
  if (!load.fresh) await Bun.sleep(WARM_MS)
  const idleMs = load.fresh ? [] : await spanOf(Bun.sleep(IDLE_MS))
  const prepare: LoadOrder = { order: 'prepare', load: load.name, port, addresses }
  const prepared = failureOf(await generator.ask(prepare, PREPARING_MOST_MS))
  if (prepared !== null)
    return { load, idleMs, listMs: [], failed: `it could not be prepared: ${prepared}` }
  let ran: LoadReport | null = null
  const listMs = await spanOf(
    Promise.all([
      generator.ask({ order: 'run' }, MOST_MS).then((answer) => {
        ran = answer
      }),
      Bun.sleep(LEAST_MS),
    ]),
  )
  return { load, idleMs, listMs, failed: failureOf(ran) }
}

function failureOf(answer: LoadReport | null): string | null {
  return answer ? answer.failed : 'it did not end'
}

function report(of: readonly Measured[]): void {
  const idleMs = p99(of.flatMap((one) => one.idleMs))
  for (const { load, listMs, failed } of of) {
    if (listMs.length === 0) {
      unmeasured({ name: load.name, why: failed ?? 'nothing was read' })
      continue
    }
    const found = { p99: p99(listMs), worst: Math.max(...listMs) }
    for (const what of ['p99', 'worst'] as const) {
      const { times, ms } = ALLOWED[what]
      row({ name: `${load.name}, ${what}`, value: found[what], baseline: idleMs, unit: 'ms' })
      if (found[what] > Math.max(ms, times * idleMs))
        console.error(`isolation: ${load.name}: ${what} ${found[what].toFixed(1)} ms is too much`)
    }
    if (failed !== null) console.error(`isolation: ${load.name}: ${failed}`)
  }
}
