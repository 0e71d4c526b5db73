/**
 * What the console is connected to: the server, one of its sandboxes, and a client with a key of
 * that. It looks at the sandbox every second, says when the server is gone, and begins anew when
 * it is back.
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
import { errorText } from '../shell/error-text.ts'
import { sandboxId } from '../shell/route.ts'
import { type Account, accountOf, type SigningKey } from './account.ts'

// Read-only guests: who opens `/console#guest=TOKEN` looks at everything and changes nothing.

/** Whether nothing can be changed from this page. */
export const isGuest = computed(() => controlToken.value?.startsWith('guest-') ?? false)

/** Takes the token out of the address. */
export function acceptGuestLink(): void {
  const [, token] = /^#guest=(guest-[0-9a-f]+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  giveToken(token)
  // What is in the address is shown to others, and is no view.
  location.replace(`${location.pathname}${location.search}#/`)
}

/** The token of the control plane, kept for as long as the tab is open. */
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

// Where times go on from one another: what was loaded before a seek has other times after it.

/** Counts up when what was loaded is no more in the past of what comes. */
export const era = signal(0)

/** Follows what the looks at the sandbox say. */
export function followEra(): void {
  let last: SandboxRecord | null = null
  effect(() => {
    const record = sandboxRecord.value?.record ?? null
    if (record !== null && last !== null && isOther(last, record)) era.value = era.peek() + 1
    if (record !== null) last = record
  })
}

/** A shift is in whole seconds, and stays until the playhead is placed anew. */
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

/** The keys of a sandbox, which its snapshot has with their secrets. */
const PUBLIC_KEYS = DEMO_KEYS.map(({ accessKey, secretKey, about }) => ({
  accessKey,
  secretKey,
  name: about,
}))

/** Those that are let in, the one that may do everything first; guests have the public ones. */
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

/** As much as is read of a snapshot. */
interface KeptKeys {
  keys: (SigningKey & { status?: string })[]
  progress: { initialKeys: { full: { accessKey: string } } }
}

/** How the server is there. */
export type ServerState =
  /** Nothing is known yet. */
  | 'connecting'
  | 'live'
  /** Nobody answers, or it is starting or ending. */
  | 'gone'
  /** The control plane wants a token, or another one. */
  | 'locked'
  /** It answers, and there is no such sandbox. */
  | 'no-sandbox'
  /** It answers something else. */
  | 'failed'

/** What views ask: everything of one sandbox. Another one once the server was away. */
export interface Session {
  sandbox: string
  account: Account
  control: SandboxControl
  key: SigningKey
  keys: readonly SigningKey[]
}

export const serverState = signal<ServerState>('connecting')
/** In the words of whoever said so. */
export const serverError = signal<string | null>(null)
/** The sandbox as it was at `asOfMs` of the machine's count. */
export const sandboxRecord = signal<{ record: SandboxRecord; asOfMs: number } | null>(null)
export const session = signal<Session | null>(null)
/** How often a socket was lost since the page was opened. */
export const lostSockets = signal(0)
/** The access key that was picked; null for the first of the sandbox. */
export const pickedKey = signal<string | null>(null)

/** The control plane, of all sandboxes. */
export const controlPlane = (): Control => plane

let plane: Control = controlOf(location.origin)
let poll = 0

/** Connects, and connects anew with each sandbox, key and token. */
export function connect(): void {
  effect(() => {
    plane = controlOf(location.origin, { token: controlToken.value ?? undefined })
    const wanted = { sandbox: sandboxId.value, key: pickedKey.value }
    untracked(() => begin(wanted))
  })
}

/** Looks at the sandbox at once: something was changed. */
export const lookAgain = (): Promise<void> => look(poll)

/** Shows a record that a call has answered, without another look. */
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
    const account = accountOf(sandbox, key, () => lostSockets.value++)
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
    // What comes after may be another server with other keys.
    endSession()
    serverState.value = state
    serverError.value = errorText(error)
  })
}
