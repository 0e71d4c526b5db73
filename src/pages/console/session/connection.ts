/**
 * Connection of the console: the server, one of its sandboxes, and a client with one of its keys.
 * It polls the sandbox every second, reports when the server is gone, and reconnects when it is
 * back.
 */

import { batch, computed, effect, signal, untracked } from '@preact/signals'
import {
  type Control,
  ControlError,
  control as controlOf,
  type SandboxControl,
  type Snapshot,
} from '../../../clients/control/control.ts'
import type { SandboxRecord } from '../../../clients/control/records.ts'
import { hostClock } from '../../../clock/system-clock.ts'
import { DEMO_KEYS } from '../../../contract/documents/demo-keys.ts'
import { sandboxId } from '../shell/route.ts'
import { errorText } from '../shell/toast-list.tsx'
import { type Account, accountOf, consoleBase, type SigningKey } from './account.ts'

// Read-only guests: `/console#guest=TOKEN` shows everything and changes nothing.

/** Whether this page is read-only. */
export const isGuest = computed(() => controlToken.value?.startsWith('guest-') ?? false)

/** Removes the token from the address. */
export function acceptGuestLink(): void {
  const [, token] = /^#guest=(guest-[0-9a-f]+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  giveToken(token)
  // The address may be shared, and the token is no view.
  location.replace(`${location.pathname}${location.search}#/`)
}

/** The token of the control plane, kept while the tab is open. */
const NAME = 'tapewright.control-token'

/** null until one is given; on loopback there is none. */
export const controlToken = signal<string | null>(stored())

export function giveToken(token: string): void {
  controlToken.value = token
  try {
    sessionStorage.setItem(NAME, token)
  } catch {}
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME)
  } catch {
    return null
  }
}

// Continuity of times: after a seek, loaded data does not connect to later data.

/** Counts load generations: increments when loaded data no longer precedes new data. */
export const era = signal(0)

/** Tracks the sandbox records that are polled. */
export function followEra(): void {
  let last: SandboxRecord | null = null
  effect(() => {
    const record = sandboxRecord.value?.record ?? null
    if (record !== null && last !== null && isOther(last, record)) era.value = era.peek() + 1
    if (record !== null) last = record
  })
}

/** A shift is in whole seconds, and constant until the playhead is moved. */
function isOther(a: SandboxRecord, b: SandboxRecord): boolean {
  const shifts = [a, b].map(({ playhead }) => playhead.shown - playhead.at) as [number, number]
  return (
    a.id !== b.id ||
    a.world !== b.world ||
    a.playhead.lap !== b.playhead.lap ||
    shifts[0] !== shifts[1] ||
    b.playhead.at < a.playhead.at
  )
}

/** Keys of a sandbox, from its snapshot, which includes secrets. */
const PUBLIC_KEYS = DEMO_KEYS.map(({ accessKey, secretKey, about }) => ({
  accessKey,
  secretKey,
  name: about,
}))

/** Usable keys, the one with all permissions first; guests get the public ones. */
async function signingKeys(control: Control, sandbox: string): Promise<SigningKey[]> {
  if (isGuest.value) return PUBLIC_KEYS
  const snapshot = (await control.snapshot.get(sandbox)) as Snapshot & KeptKeys
  const { full } = snapshot.progress.initialKeys
  return snapshot.keys
    .filter(({ status }) => status !== 'disabled')
    .map(({ accessKey, secretKey, name }) => ({ accessKey, secretKey, name }))
    .sort((a, b) => Number(isFull(b)) - Number(isFull(a)))

  function isFull({ accessKey }: SigningKey): boolean {
    return accessKey === full.accessKey
  }
}

/** The used part of a snapshot. */
interface KeptKeys {
  keys: (SigningKey & { status?: string })[]
  progress: { initialKeys: { full: { accessKey: string } } }
}

/** State of the server. */
export type ServerState =
  /** Unknown so far. */
  | 'connecting'
  | 'live'
  /** No response, or it is starting or stopping. */
  | 'gone'
  /** The control plane requires a token, or another one. */
  | 'locked'
  /** It answers, but the sandbox does not exist. */
  | 'no-sandbox'
  /** It answers with another error. */
  | 'failed'

/** Interfaces of one sandbox for views. Replaced after the server was gone. */
export interface Session {
  sandbox: string
  account: Account
  control: SandboxControl
  key: SigningKey
  keys: readonly SigningKey[]
}

export const serverState = signal<ServerState>('connecting')
/** The error's own words. */
export const serverError = signal<string | null>(null)
/** The sandbox as of `asOfMs` of the monotonic clock. */
export const sandboxRecord = signal<{ record: SandboxRecord; asOfMs: number } | null>(null)
export const session = signal<Session | null>(null)
/** Number of lost sockets since the page was opened. */
const lostSockets = signal(0)
/** Selected access key; null for the sandbox's first. */
export const pickedKey = signal<string | null>(null)

/** The control plane, for all sandboxes. */
export const controlPlane = (): Control => plane

/** Control calls that are sent even if the page is gone before their answer. */
export const lastingPlane = (): Control =>
  controlOf(location.origin, { token: controlToken.value ?? undefined, keepalive: true })

let plane: Control = controlOf(location.origin)
let poll = 0

/** Connects, and again for each sandbox, key and token. */
export function connect(): void {
  effect(() => {
    plane = controlOf(location.origin, { token: controlToken.value ?? undefined })
    const wanted = { sandbox: sandboxId.value, key: pickedKey.value }
    untracked(() => begin(wanted))
  })
}

/** Polls the sandbox at once after a change. */
export const lookAgain = (): Promise<void> => look(poll)

/** Shows a record returned by a call, without polling. */
export function showRecord(record: SandboxRecord): void {
  sandboxRecord.value = { record, asOfMs: hostClock.monotonicMs() }
}

interface Wanted {
  sandbox: string
  key: string | null
}

const POLL_MS = 1000

function begin(wanted: Wanted): void {
  const mine = ++poll
  batch(() => {
    endSession()
    sandboxRecord.value = null
    serverState.value = 'connecting'
  })
  const lookOnAndOn = async () => {
    await look(mine)
    if (mine === poll && serverState.value === 'live' && session.value === null)
      await open(wanted, mine)
    if (mine === poll) hostClock.startTimer(POLL_MS, () => mine === poll && lookOnAndOn())
  }
  void lookOnAndOn()
}

function endSession(): void {
  session.value?.account.close()
  session.value = null
}

async function look(mine: number): Promise<void> {
  try {
    const record = await plane.sandboxes.get(sandboxId.value)
    if (mine !== poll) return
    batch(() => {
      showRecord(record)
      serverState.value = 'live'
      serverError.value = null
    })
  } catch (error) {
    if (mine === poll) fail(error)
  }
}

async function open({ sandbox, key: picked }: Wanted, mine: number): Promise<void> {
  try {
    const keys = await signingKeys(plane, sandbox)
    const key = keys.find(({ accessKey }) => accessKey === picked) ?? keys[0]
    if (mine !== poll || key === undefined) return
    const account = accountOf(consoleBase(sandbox), key, () => lostSockets.value++)
    session.value = { sandbox, account, control: plane.sandbox(sandbox), key, keys }
  } catch (error) {
    if (mine === poll) fail(error)
  }
}

const STATES: Partial<Record<ControlError['code'], ServerState>> = {
  unreachable: 'gone',
  unavailable: 'gone',
  unauthorized: 'locked',
  'not-found': 'no-sandbox',
}

function fail(error: unknown): void {
  const state = (error instanceof ControlError && STATES[error.code]) || 'failed'
  batch(() => {
    // The next server may have other keys.
    endSession()
    serverState.value = state
    serverError.value = errorText(error)
  })
}
