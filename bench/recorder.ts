/**
 * Benchmark of the recorder: requests through it against requests through a bare Bun proxy to the
 * same service, and the added latency over a direct request. Services, proxies and clients are
 * processes of their own.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { median } from './measure/in-turn.ts'
import type { LoadOrder, LoadResult } from './measure/load-client.ts'
import { PROGRAM, run } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const TURNS = 7
const FORWARDING = path.join(import.meta.dir, 'measure', 'forwarding.ts')
const LOAD_CLIENT = path.join(import.meta.dir, 'measure', 'load-client.ts')
const PATH = '/api/upgrade/v2/hl/tickers?AccessKeyId=demo&SignatureNonce=a&Timestamp=1&Signature=b'

const service = await run(['bun', FORWARDING])
const proxy = await run(['bun', FORWARDING, String(service.port)])
const file = path.join(process.env.TMPDIR ?? '/tmp', `recorder-${process.pid}.tape.ndjson.zst`)
const words = ['--upstream', `http://127.0.0.1:${service.port}`, '--out', file, '--port', '0']
const recorder = await run(
  ['bun', PROGRAM, 'record', ...words],
  {},
  /recording http:\/\/[^:]+:(\d+)/,
)

async function load(port: number, connections: number): Promise<LoadResult> {
  const order: LoadOrder = { port, paths: [PATH], connections, warmMs: 200, countMs: 1000 }
  const client = Bun.spawn(['bun', LOAD_CLIENT], { stdin: 'pipe', stdout: 'pipe' })
  client.stdin.write(JSON.stringify(order))
  client.stdin.end()
  return JSON.parse(await new Response(client.stdout).text())
}

const [recorded, proxied, added, plain]: number[][] = [[], [], [], []]
for (let turn = 0; turn < TURNS; turn++) {
  recorded?.push((await load(recorder.port, 16)).perSecond)
  proxied?.push((await load(proxy.port, 16)).perSecond)
  const direct = (await load(service.port, 1)).p99Ms
  plain?.push((await load(proxy.port, 1)).p99Ms - direct)
  added?.push((await load(recorder.port, 1)).p99Ms - direct)
}
row({
  name: 'requests through a recorder, against a bare proxy',
  value: median(recorded ?? []),
  baseline: median(proxied ?? []),
  unit: 'requests/s',
})
row({
  name: 'what a recorder adds at p99, against a bare proxy',
  value: median(added ?? []),
  baseline: median(plain ?? []),
  unit: 'ms',
})
for (const one of [recorder, proxy, service]) await one.stop()
await rm(file, { force: true })
