/**
 * Starts a binary, uses it as users would, and prints the results as JSON. A program of its own, so
 * that it can run without a network.
 */
import { credentials } from '../../src/contract/signature.ts'
import { consoleSizes } from '../fixtures/console-files.ts'

const [binary = '', tape = '', home = ''] = process.argv.slice(2)
const env = { HOME: home, PATH: '/none' }

const served = Bun.spawn(
  [binary, 'serve', '--port', '0', '--tape', tape, '--state', `${home}/desk.sqlite`],
  { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit', env },
)
const origin = await listeningOrigin()

const signed = () =>
  new URLSearchParams({
    ...credentials({
      accessKey: 'demo',
      secretKey: 'demo-secret',
      nonce: crypto.randomUUID(),
      timestampS: Math.floor(Date.now() / 1000),
    }),
  })

const read = await fetch(`${origin}/api/upgrade/v2/hl/tickers?${signed()}`)
const page = await fetch(`${origin}/swagger/scalar.js`)
const consoleFiles = await consoleSizes(origin)
const seen = {
  reachesNetwork: await reachesNetwork(),
  read: read.status,
  channel: await firstChannel(),
  grown: await hasGrown(),
  scenario: await scenarioOn('stale-book'),
  page: page.status,
  console: consoleFiles.length,
  conform: run('conform', '--control', `${origin}/_control`, '--only', 'answer.coin'),
  health: run('health', origin),
  pocket: run('cast', '--tape', tape, '--pocket', `${home}/pocket`),
}
served.kill()
console.log(JSON.stringify({ ...seen, ended: await served.exited }))

async function listeningOrigin(): Promise<string> {
  let output = ''
  for await (const chunk of served.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('\n')) break
  }
  const [, found] = /listening on (\S+)/.exec(output) ?? []
  if (found === undefined) throw new Error(output)
  return found
}

/** A name of the network that every connected machine can resolve. */
async function reachesNetwork(): Promise<boolean> {
  const { lookup } = await import('node:dns/promises')
  return lookup('example.com').then(
    () => true,
    () => false,
  )
}

function firstChannel(): Promise<string> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/upgrade/v2/hl/ws?${signed()}`)
  const subscription = { type: 'trades', coin: 'BTC' }
  socket.onopen = () => socket.send(JSON.stringify({ method: 'subscribe', subscription }))
  return new Promise((resolve, reject) => {
    socket.onmessage = ({ data }) => {
      const { channel } = JSON.parse(data)
      if (channel !== 'trades') return
      resolve(channel)
      socket.close()
    }
    socket.onerror = () => reject(new Error('the socket failed'))
  })
}

/** Whether a market continues after its tape, which needs a thread. */
async function hasGrown(): Promise<boolean> {
  await control('POST', '/sandboxes', { name: 'later', clock: 'held' })
  const { playhead } = await control('POST', '/sandboxes/later/clock/advance', { ms: 600_000 })
  const { start, stop, at } = playhead
  return at > stop && stop - start < 600_000
}

async function scenarioOn(name: string): Promise<string> {
  const { scenarios } = await control('PUT', '/sandboxes/later/scenario', { name })
  return scenarios[0]?.name ?? ''
}

async function control(method: string, path: string, body: object): Promise<SandboxRecord> {
  const answer = await fetch(`${origin}/_control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as SandboxRecord
}

function run(...words: string[]): [number, string] {
  const { exitCode, stdout, stderr } = Bun.spawnSync([binary, ...words], { env })
  return [exitCode, exitCode === 0 ? stdout.toString() : stderr.toString()]
}

interface SandboxRecord {
  playhead: { start: number; stop: number; at: number }
  scenarios: { name: string }[]
}
