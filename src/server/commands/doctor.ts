/** `tapewright doctor`: what is wrong with this machine, and how to mend it. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { client } from '../../clients/service/client.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { DEMO_KEYS } from '../../contract/documents/demo-keys.ts'
import { packedFile } from '../../market/world/packed-world.ts'
import { worldFile } from '../../market/world/world-file.ts'
import {
  cacheFolder,
  environmentVariable,
  machinePath,
  packedWorldsFolder,
  RECORDINGS_FOLDER,
} from '../../platform/environment.ts'
import { VERSION } from '../../platform/version.ts'
import { fileDigest } from '../../tape/compression.ts'
import { DEFAULT_TAPE, findRecording } from '../../tape/tape-name.ts'
import { bunFlaw } from '../embedding/bun-version.ts'
import type { Run } from './command.ts'
import type { DOCTOR } from './doctor/declaration.ts'
import { serverAddress } from './running-server.ts'
import { styled } from './terminal.ts'

/** A finding: `bad` has to be mended, `note` only where it is needed. */
interface Finding {
  what: 'versions' | 'node' | 'cache' | 'world' | 'server' | 'clock' | 'chromium' | 'request'
  state: 'ok' | 'note' | 'bad'
  text: string
}

/** Prints the findings; code 1 when one of them is bad. */
export const doctor: Run<typeof DOCTOR> = async ({ flags }) => {
  const findings: Finding[] = []
  for await (const finding of findingsOf(serverAddress(flags))) {
    findings.push(finding)
    if (!flags.json) console.log(lineOf(finding))
  }
  const isSound = findings.every(({ state }) => state !== 'bad')
  if (flags.json) console.log(JSON.stringify({ ok: isSound, findings }))
  return isSound ? 0 : 1
}

const STYLES = { ok: 'green', note: 'yellow', bad: 'red' } as const

const lineOf = ({ what, state, text }: Finding) =>
  `${styled(state.padEnd(4), STYLES[state], process.stdout)}  ${what.padEnd(8)}  ${text}`

async function* findingsOf(url: string): AsyncGenerator<Finding> {
  yield versions()
  yield node()
  yield cache()
  yield await world()
  const server = await serverAt(url)
  yield server.finding
  yield clock(server.dateMs)
  yield chromium()
  yield await request(server.isOurs ? url : null)
}

function versions(): Finding {
  const text = `Tapewright ${VERSION} on Bun ${Bun.version}, ${process.platform} ${process.arch}`
  const flaw = bunFlaw(Bun.version)
  return flaw === null
    ? { what: 'versions', state: 'ok', text }
    : { what: 'versions', state: 'bad', text: flaw }
}

const NODE_MIN = 20

/** Node is needed by programs that import the package there, and by nothing else. */
function node(): Finding {
  const program = Bun.which('node', { PATH: machinePath() })
  if (program === null)
    return { what: 'node', state: 'note', text: `not found: the package on Node needs ${NODE_MIN}` }
  const version = Bun.spawnSync([program, '--version']).stdout.toString().trim()
  const major = Number(/^v(\d+)/.exec(version)?.[1])
  return major >= NODE_MIN
    ? { what: 'node', state: 'ok', text: `Node ${version}` }
    : { what: 'node', state: 'note', text: `${version}: the package needs ${NODE_MIN} or later` }
}

/** Bytes for a world and the markets that continue after it. */
const ROOM_BYTES = 400e6

function cache(): Finding {
  const folder = cacheFolder()
  const probe = path.join(folder, `doctor.${process.pid}.tmp`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(probe, 'probe')
    rmSync(probe)
  } catch (error) {
    const why = (error as Error).message
    const mend = 'make it writable, or set TAPEWRIGHT_CACHE to a folder that is'
    return { what: 'cache', state: 'bad', text: `${folder} (${why}): ${mend}` }
  }
  const { bavail, bsize } = statfsSync(folder)
  const sizes = readdirSync(folder).map(
    (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  )
  const used = inMb(sizes.reduce((sum, size) => sum + size, 0))
  const text = `${folder}: ${used} MB used, ${inMb(bavail * bsize)} MB free`
  return bavail * bsize < ROOM_BYTES
    ? { what: 'cache', state: 'bad', text: `${text}: make room for ${inMb(ROOM_BYTES)} MB` }
    : { what: 'cache', state: 'ok', text }
}

const inMb = (bytes: number) => Math.floor(bytes / 1e6).toLocaleString('en-US')

async function world(): Promise<Finding> {
  const tapeDigest = await fileDigest(findRecording(DEFAULT_TAPE, RECORDINGS_FOLDER))
  const file = worldFile({ tapeDigest, seed: 1, cacheDir: cacheFolder() })
  if (existsSync(`${file}.seal`))
    return { what: 'world', state: 'ok', text: 'the default world is in the cache' }
  const folder = packedWorldsFolder()
  if (folder !== null && packedFile(folder, file) !== null)
    return { what: 'world', state: 'ok', text: 'the default world is packed, and not unpacked yet' }
  const text = 'the default world is not cast: the first start does it, or tapewright cast now'
  return { what: 'world', state: 'note', text }
}

interface FoundServer {
  finding: Finding
  /** Whether it is a Tapewright that serves. */
  isOurs: boolean
  /** Its wall time, of whole seconds; null when it is unknown. */
  dateMs: number | null
}

/** Time for an answer, ms. */
const ANSWER_MS = 5_000

async function serverAt(url: string): Promise<FoundServer> {
  const found = (
    state: Finding['state'],
    text: string,
    isOurs = false,
    date = '',
  ): FoundServer => ({
    finding: { what: 'server', state, text: `${url}: ${text}` },
    isOurs,
    dateMs: Number.isNaN(Date.parse(date)) ? null : Date.parse(date),
  })
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await fetch(`${url}/_control/health`, { signal })
    const version = answer.headers.get('tapewright-version')
    const { why } = (await answer.json().catch(() => ({}))) as { why?: unknown }
    if (version === null)
      return found('bad', 'another program listens there: end it, or serve with another --port')
    const date = answer.headers.get('date') ?? ''
    if (!answer.ok) return found('bad', `Tapewright ${version} is not ready: ${why}`, false, date)
    if (version !== VERSION)
      return found('bad', `is Tapewright ${version}: use one version of both`, true, date)
    return found('ok', `Tapewright ${version} serves`, true, date)
  } catch {
    return found('note', 'no server runs there; start one with tapewright serve')
  }
}

/** A signature is valid for this long, s; a server rejects one from the future as well. */
const VALID_S = 30

/** Beyond it a signed request is at risk, s. */
const APART_S = 5

/** Earlier than any version of the program. */
const OLDEST_MS = Date.UTC(2025, 0)

function clock(dateMs: number | null): Finding {
  const nowMs = hostClock.nowMs()
  const shown = new Date(nowMs).toISOString().slice(0, 19)
  if (nowMs < OLDEST_MS)
    return { what: 'clock', state: 'bad', text: `${shown} UTC is in the past: set the clock` }
  if (dateMs === null) return { what: 'clock', state: 'ok', text: `${shown} UTC` }
  const apartS = Math.round(Math.abs(nowMs - dateMs) / 1000)
  if (apartS <= APART_S)
    return { what: 'clock', state: 'ok', text: `${shown} UTC, as that of the server` }
  const state = apartS > VALID_S ? 'bad' : 'note'
  const text = `${apartS} s from that of the server, and signatures are valid for ${VALID_S} s`
  return { what: 'clock', state, text: `${text}: set one of the clocks` }
}

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function chromium(): Finding {
  const named = environmentVariable('CHROMIUM_PATH')
  if (named !== null && !existsSync(named))
    return {
      what: 'chromium',
      state: 'bad',
      text: `CHROMIUM_PATH names ${named}, which is missing`,
    }
  const program = named ?? PROGRAMS.map((name) => Bun.which(name)).find((found) => found !== null)
  if (program != null) return { what: 'chromium', state: 'ok', text: program }
  const text = 'not found: only tests of pages need it, npx playwright install chromium brings one'
  return { what: 'chromium', state: 'note', text }
}

const { accessKey = '', secretKey = '' } = DEMO_KEYS[0] ?? {}
const DEMO_KEY = { accessKey, secretKey }

/** @param url of a running server; null to start one for the request */
async function request(url: string | null): Promise<Finding> {
  let stop = async () => {}
  try {
    let baseUrl = url
    if (baseUrl === null) {
      const started = await (await import('../embedding/in-process-server.ts')).startInProcess()
      baseUrl = started.url
      stop = started.stop
    }
    const tickers = await client({ baseUrl, ...DEMO_KEY }).perpdex.tickers()
    const of = url === null ? 'a server of its own' : url
    const text = `signed with ${DEMO_KEY.accessKey}: ${tickers.length} prices from ${of}`
    return { what: 'request', state: 'ok', text }
  } catch (error) {
    return { what: 'request', state: 'bad', text: (error as Error).message }
  } finally {
    await stop()
  }
}
