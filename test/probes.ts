/** Probes of our own sandbox: the cases of the suite, carried by memory. */
import type { Machine } from '../src/clock/machine.ts'
import type { CarriedSocket, Carrier } from '../src/conformance/carrier.ts'
import type { Case } from '../src/conformance/case.ts'
import { type Result, runCases } from '../src/conformance/runner.ts'
import type { Target } from '../src/conformance/target.ts'
import type { Sandbox } from '../src/sandbox/sandbox.ts'
import { mintKey } from '../src/sandbox/tenancy/key-desk.ts'
import type { Wish } from '../src/sandbox/wish.ts'
import { type MemorySocket, memory } from '../src/transport/memory/memory.ts'
import { realRegistry } from './real-market.ts'
import { still } from './still-machine.ts'

/** In the recording, after its cascade, where there is something of all. */
export const AT_MS = 16 * 60_000

/** A clock that runs with it stands as well: between two questions nothing happens. */
const stopped: Machine = { ...still, monotonicMs: () => 0, timer: () => () => {} }

/** The default sandbox behind a carrier of memory. */
export async function probed(wish: Wish = {}) {
  const { registry, sandbox } = await realRegistry(
    { at: AT_MS, clock: 'running', ...wish },
    stopped,
  )
  const door = memory(registry)
  const carrier: Carrier = {
    request: async ({ method, path, body }) => {
      const { status, contentType, headers, body: text } = door.request(method, path, body)
      const retryAfter = headers?.['retry-after']
      return { status, contentType, text, ...(retryAfter === undefined ? {} : { retryAfter }) }
    },
    connect: async (path) => {
      const opened = door.connect(path)
      if ('frames' in opened) return carried(opened)
      return { status: opened.status, contentType: opened.contentType, text: opened.body }
    },
  }
  return { registry, sandbox, carrier, target: targetOf(sandbox) }
}

/** Whatever a frame causes in memory is there when `send` returns. */
function carried(socket: MemorySocket): CarriedSocket {
  return {
    frames: socket.frames,
    get closeCode() {
      return socket.closeCode
    },
    send: (data) => socket.send(data),
    // In memory there is no protocol: nothing arrives.
    ping: () => {},
    close: () => socket.close(),
    stirred: async () => {},
  }
}

/** The demo keys, an invite token, and the clock under the test's hand. */
export function targetOf(sandbox: Sandbox): Target {
  const key = (accessKey: string) => ({ accessKey, secretKey: `${accessKey}-secret` })
  return {
    keys: {
      full: key('demo'),
      partner: key('demo-partner'),
      sub: key('demo-sub'),
      bare: key('demo-bare'),
    },
    inviteToken: 'demo-invite',
    control: {
      advance: async (ms) => {
        await sandbox.clock.set({ state: 'held' })
        await sandbox.clock.advance(ms)
      },
      freeze: async () => {
        const run = (speed: number) => {
          sandbox.player.catchUp()
          sandbox.playhead.set(sandbox.clock.nowMs(), { speed })
          sandbox.player.reposition()
        }
        run(0)
        return async () => run(1)
      },
      subKey: async (level) => {
        const wish = { kind: 'sub', distributor: 'demo-partner', level } as const
        const made = mintKey(sandbox.tenancy, wish, sandbox.clock.nowMs())
        if (typeof made === 'string') throw new Error(made)
        const remove = async () => void sandbox.tenancy.removeKey(made.accessKey)
        return { key: made, remove }
      },
    },
    known: sandbox.stage.cast(sandbox.facts().moment) as { builders: string[] },
    patienceMs: 0,
  }
}

/**
 * The machine a second ahead: what is signed in the second in which a clock is moved counts as
 * signed before it.
 */
export const ahead: Machine = { ...still, nowMs: () => still.nowMs() + 1000 }

let nonce = 0

/** What became of a case: null when it held. */
export async function tried(target: Target, carrier: Carrier, one: Case): Promise<string | null> {
  const settings = { target, carrier, by: ahead, nonce: `case-${nonce++}` }
  const [{ verdict, says, evidence } = NONE] = await runCases([one], settings)
  if (verdict === 'held') return null
  return verdict === 'skipped'
    ? `skipped: ${says}`
    : `${says}\n${(JSON.stringify(evidence) ?? '').slice(0, 1500)}`
}

const NONE: Pick<Result, 'verdict' | 'says' | 'evidence'> = { verdict: 'failed', says: 'no result' }
