/** Creates sandboxes, on any server. */

import { ControlError, control, type SandboxControl } from '../../clients/control/control.ts'
import type { AccessKey, CreatedSandbox, SandboxFields } from '../../clients/control/records.ts'
import { type Client, client } from '../../clients/service/client.ts'
import { ClientError } from '../../clients/service/errors.ts'
import type { ExplainRefusal } from '../../clients/service/requests/request-sender.ts'
import type { ClientSettings } from '../../clients/service/settings.ts'
import { reasonLines } from '../../contract/reason-text.ts'
import { VERSION } from '../../platform/version.ts'
import { type CoverageFile, coverageFileOf } from '../coverage/coverage-file.ts'
import { namedServer, namedToken } from './environment.ts'
import type { Lease, SandboxServer, SharedServer } from './shared-server.ts'

/** The options of a sandbox, and its server. */
export interface CreateSandboxOptions extends SandboxFields {
  /** Base URL of a running server; by default `TAPEWRIGHT_URL`, or one of our own. */
  server?: string | undefined
  /** Token of its control plane; `TAPEWRIGHT_CONTROL_TOKEN` by default. */
  token?: string | undefined
  /**
   * File for what its clients have met of the contract, written when it is closed. Sandboxes of
   * this process with the same file are added; a name that ends with a slash is a folder, in which
   * each gets a file of its own.
   */
  coverage?: string | undefined
}

/** A sandbox, from its creation to its end. */
export interface SandboxHandle extends AsyncDisposable {
  readonly id: string
  /** Base URL for clients of the contract. */
  readonly baseUrl: string
  /** Base URL for sockets. */
  readonly wsBaseUrl: string
  readonly keys: Readonly<CreatedSandbox['keys']>
  readonly inviteToken: string
  /** Its control plane. */
  readonly control: SandboxControl
  /** Its session clock. */
  readonly clock: SandboxClock
  /** A typed client that signs with one of its keys (`full`). */
  client(key?: keyof CreatedSandbox['keys'] | AccessKey, settings?: OwnClientSettings): Client
  /** Drops it and closes its clients; later calls are refused. */
  close(): Promise<void>
}

type OwnClientSettings = Omit<ClientSettings, 'baseUrl' | 'wsBaseUrl' | 'accessKey' | 'secretKey'>

/** Writes the coverage of a sandbox to a file, or into a folder; a UserError where it cannot. */
type WriteCoverage = (name: string, sandbox: string, of: CoverageFile) => void

/** Creates a sandbox on the named server, or else on the shared one. */
export async function createSandboxOn(
  shared: SharedServer,
  { server, token, coverage, ...fields }: CreateSandboxOptions,
  writeCoverage: WriteCoverage,
): Promise<SandboxHandle> {
  if (coverage !== undefined && (typeof coverage !== 'string' || coverage === ''))
    throw new SandboxError('`coverage` must be the name of a file, or of a folder with a slash')
  const keep: KeepCoverage | null =
    coverage === undefined ? null : (sandbox, of) => writeCoverage(coverage, sandbox, of)
  const url = server ?? namedServer()
  const lease =
    url === undefined
      ? await shared.lease()
      : { server: await namedServerAt(url, token ?? namedToken()), release: async () => {} }
  try {
    const requested = control(lease.server.url, { token: lease.server.token })
    return handleOf(await requested.sandboxes.create(fields), lease, keep)
  } catch (error) {
    await lease.release()
    throw error
  }
}

type KeepCoverage = (sandbox: string, of: CoverageFile) => void

function handleOf(made: CreatedSandbox, lease: Lease, keep: KeepCoverage | null): SandboxHandle {
  const { id, baseUrl, wsBaseUrl, keys, inviteToken } = made
  const { url, token } = lease.server
  const clients: Client[] = []
  let closing: Promise<void> | null = null
  const flaw: Flaw = async (waitMs) => {
    if (closing) return CLOSED
    const ended = await lease.server.ended(waitMs)
    return ended && `its server ${ended}`
  }
  const own = control(url, {
    token,
    send: guarded(flaw, (why) => new ControlError('closed', null, `sandbox "${id}": ${why}`)),
  }).sandbox(id)
  const close = async () => {
    let unwritten: unknown = null
    for (const one of clients) one.close(clientError(CLOSED))
    try {
      if (keep) keep(id, coverageFileOf(await control(url, { token }).coverage(id, { limit: 1 })))
    } catch (error) {
      unwritten = error
    }
    try {
      await control(url, { token }).sandboxes.drop(id)
    } catch (error) {
      // It was dropped already, or its server has ended: it is closed all the same.
      if (!(error instanceof ControlError) || !GONE.includes(error.code)) throw error
    } finally {
      await lease.release()
    }
    if (unwritten !== null) throw unwritten
  }
  const endOnce = () => {
    closing ??= close()
    return closing
  }
  const clientError = (why: string) => new ClientError(`sandbox "${id}"`, why)
  return {
    id,
    baseUrl,
    wsBaseUrl,
    keys,
    inviteToken,
    control: own,
    clock: sandboxClock(own),
    client(key = 'full', settings = {}) {
      if (closing) throw clientError(CLOSED)
      const send = guarded(flaw, clientError, settings.send)
      const signing = typeof key === 'string' ? keys[key] : key
      const explainRefusal = refusalExplainer(own)
      const made = client({ explainRefusal, ...settings, baseUrl, wsBaseUrl, ...signing, send })
      clients.push(made)
      return made
    },
    close: endOnce,
    [Symbol.asyncDispose]: endOnce,
  }
}

/** Number of newest refusals among which that of a request is searched. */
const REFUSALS_READ = 50

/** Finds the reason of a refused request in the journal, by its nonce; nothing without one. */
const refusalExplainer =
  ({ journal }: SandboxControl): ExplainRefusal =>
  async (url, { body }) => {
    const sent = `${url} ${typeof body === 'string' ? body : ''}`
    const [, nonce] = /SignatureNonce(?:=|":")([^&"\s]+)/.exec(sent) ?? []
    if (nonce === undefined) return []
    try {
      const { entries } = await journal.read({ kind: 'request', limit: REFUSALS_READ })
      const own = entries.findLast(
        (entry) => entry.kind === 'request' && `${entry.query} ${entry.body}`.includes(nonce),
      )
      return own?.kind === 'request' && own.reason ? reasonLines(own.reason) : []
    } catch {
      // The refusal itself is reported, with its reason or without it.
      return []
    }
  }

const CLOSED = 'it is closed; make another one with createSandbox()'

const GONE: readonly string[] = ['not-found', 'unreachable', 'unavailable']

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Why a sandbox cannot be used; null when it can. */
type Flaw = (waitMs: number) => Promise<string | null>

/** Time to wait for the reason of a server's end, ms. */
const REASON_MS = 500

/** Sends while there is no flaw, and otherwise throws an error with the flaw. */
function guarded(flaw: Flaw, errorOf: (why: string) => Error, send?: Send): Send {
  return async (url, init) => {
    const before = await flaw(0)
    if (before !== null) throw errorOf(before)
    try {
      return await (send ?? fetch)(url, init)
    } catch (error) {
      const why = init.signal?.aborted ? null : await flaw(REASON_MS)
      throw why === null ? error : errorOf(why)
    }
  }
}

// A running server that was started by the user.

/** The server at an address; a SandboxError when it is not there, or not of this version. */
async function namedServerAt(url: string, token: string | undefined): Promise<SandboxServer> {
  const { version } = await healthOf(url)
  if (version !== VERSION)
    throw new SandboxError(
      `the server at ${url} is Tapewright ${version ?? 'of an earlier version'}, and this ` +
        `package is ${VERSION}: install tapewright@${version ?? 'latest'} here, or start the ` +
        `server with tapewright@${VERSION}`,
    )
  return { url, token, ended: async () => null, stop: async () => {} }
}

async function healthOf(url: string): Promise<{ version?: string }> {
  try {
    return await control(url).health()
  } catch (error) {
    const { message } = error as Error
    const why = message.endsWith('?') ? message : `${message}.`
    throw new SandboxError(
      `${why} \`server\` and TAPEWRIGHT_URL name a server that \`tapewright serve\` has ` +
        'started, and without them createSandbox starts one itself',
      { cause: error },
    )
  }
}

/** The session clock of a sandbox, for tests. */
export interface SandboxClock {
  /** Session time, ms. */
  now(): Promise<number>
  /** Stops it; returns the session time, ms. */
  hold(): Promise<number>
  /** Lets it run with the machine from its present time. */
  run(): Promise<number>
  /**
   * Moves it forward by so many ms, to the next minute, when rates are refilled, or to the next
   * month, when quotas are renewed. Every alarm that fell due has fired then, and every push has
   * been queued. The market moves with it, unless it is set to stay or the step is a month.
   */
  advance(
    by: number | 'next-minute' | 'next-month',
    how?: { market?: 'moves' | 'stays' },
  ): Promise<number>
}

/** The clock of a sandbox, through its control plane. */
export function sandboxClock(control: SandboxControl): SandboxClock {
  return {
    now: async () => (await control.get()).clock.now,
    hold: async () => (await control.clock.set({ state: 'held' })).clock.now,
    run: async () => (await control.clock.set({ state: 'running' })).clock.now,
    advance: async (by, { market } = {}) => {
      const fields = typeof by === 'number' ? { ms: by } : { to: by }
      return (await control.clock.advance({ ...fields, market })).clock.now
    },
  }
}

/** A sandbox cannot be created here; the message has the remedy. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
