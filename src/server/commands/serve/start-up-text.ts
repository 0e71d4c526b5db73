/** The output of a ready server: its address, keys and links. */

import { hostClock } from '../../../clock/system-clock.ts'
import { DEMO_INVITE, DEMO_KEYS } from '../../../contract/documents/demo-keys.ts'
import {
  cacheFolder,
  environmentVariable,
  memoryBytes,
  packedWorldsFolder,
  RECORDINGS_FOLDER,
} from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { WorldProvider } from '../../../sandbox/loaded-world.ts'
import type { SandboxOptions } from '../../../sandbox/sandbox-config.ts'
import { worldProvider } from '../../../sandbox/world-provider.ts'
import {
  signingKey,
  targetSigner,
  upstreamAddress,
} from '../../../tape/recorder/upstream-address.ts'
import { type Upstream, upstreamAt } from '../../../tape/replay/upstream.ts'
import { DEFAULT_TAPE } from '../../../tape/tape-name.ts'
import type { FlagValues } from '../command.ts'
import { castingText, progressLine, writeLine } from '../terminal.ts'
import type { SERVE } from './declaration.ts'

/** The output for a program. */
export function readyRecord(origin: string) {
  const keys = DEMO_KEYS.map(({ role, accessKey, secretKey }) => [role, { accessKey, secretKey }])
  return {
    baseUrl: origin,
    wsBaseUrl: origin.replace(/^http/, 'ws'),
    keys: Object.fromEntries(keys),
    inviteToken: DEMO_INVITE,
    pages: PAGES.map((page) => origin + page),
    documents: DOCUMENTS.map((document) => origin + document),
    control: `${origin}/_control/sandboxes`,
  }
}

/** The output for people: the line with the address, and the rest under it. */
export function startUpText(origin: string): string {
  const { baseUrl, wsBaseUrl, inviteToken, pages, documents, control } = readyRecord(origin)
  return [
    `tapewright listening on ${origin}`,
    '',
    `  base URL     ${baseUrl}`,
    `  sockets      ${wsBaseUrl}`,
    ...keyLines().map((line, at) => `  ${at === 0 ? 'keys         ' : '             '}${line}`),
    `  invite       ${inviteToken}`,
    `  pages        ${pages.join('  ')}`,
    `  documents    ${documents.join('  ')}`,
    `  control      ${origin}/_control  ${control}`,
  ].join('\n')
}

/** The links to the demo: for the projector, and for read-only guests. */
export const demoText = (origin: string, guestToken: string): string =>
  [
    '',
    `  demo         ${origin}/console?demo`,
    `  for guests   ${origin}/console?demo#guest=${guestToken}`,
  ].join('\n')

function keyLines(): string[] {
  const pairs = DEMO_KEYS.map(({ accessKey, secretKey }) => `${accessKey} / ${secretKey}`)
  const width = Math.max(...pairs.map((pair) => pair.length))
  return DEMO_KEYS.map(({ about }, at) => `${(pairs[at] ?? '').padEnd(width)}  ${about}`)
}

const PAGES = ['/', '/console', '/swagger', '/asyncapi', '/reference']
const DOCUMENTS = ['/openapi.json', '/asyncapi.json']

/** Opens an address in the browser of `BROWSER`, or of the system; otherwise logs that none is. */
export function openInBrowser(url: string): void {
  const named = environmentVariable('BROWSER')
  const [program = '', ...words] = named === null ? (OPENERS[process.platform] ?? []) : [named]
  try {
    Bun.spawn([program, ...words, url], { stdio: ['ignore', 'ignore', 'ignore'] }).unref()
  } catch {
    const missing = program === '' ? 'no program for that is known here' : `no ${program} is here`
    writeLine(`tapewright: ${missing}: open ${url} yourself, or name a browser with BROWSER`)
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** The worlds of a server without flags; castings show their progress on a terminal. */
export function defaultWorlds(): WorldProvider {
  const progress = progressLine()
  return worldProvider({
    tape: DEFAULT_TAPE,
    seed: 1,
    recordings: RECORDINGS_FOLDER,
    cacheDir: cacheFolder(),
    packedDir: packedWorldsFolder(),
    memory: { bytes: memoryBytes(), isFlag: false },
    log: (text) => {
      progress.clear()
      console.error(`tapewright: ${text}`)
    },
    onProgress: (casting) =>
      casting.events < casting.of ? progress.show(castingText(casting)) : progress.clear(),
  })
}

/** The flags of a replayed recording. */
type Flags = Pick<FlagValues<typeof SERVE.flags>, 'replay' | 'miss' | 'upstream' | 'signWith'>

/** The replay options of sandboxes; a UserError for a flag without the one that it needs. */
export function replayOptions({
  replay,
  miss,
  upstream,
  signWith,
}: Flags): Pick<SandboxOptions, 'replay' | 'miss'> {
  if (replay === undefined && (miss !== 'world' || upstream !== undefined))
    throw new UserError('--miss and --upstream need --replay RECORDING')
  if (miss === 'upstream' && upstream === undefined)
    throw new UserError('--miss upstream needs --upstream URL, the service to ask')
  if (signWith !== undefined && upstream === undefined)
    throw new UserError('--sign-with needs --upstream URL, the service of that key')
  return replay === undefined ? {} : { replay, miss }
}

/** The upstream service for what was not recorded; null where none is named. */
export function replayUpstream({
  upstream,
  signWith,
}: Pick<Flags, 'upstream' | 'signWith'>): Upstream | null {
  if (upstream === undefined) return null
  const { isTls, host, prefix } = upstreamAddress(upstream)
  const sign = signWith === undefined ? null : targetSigner(signingKey(signWith), hostClock)
  return upstreamAt(`${isTls ? 'https' : 'http'}://${host}${prefix}`, sign)
}
