/** Toy sandboxes in state files, and the files as a killed process leaves them. */
import { afterAll } from 'bun:test'
import { copyFileSync, existsSync } from 'node:fs'
import type { Machine } from '../src/clock/machine.ts'
import { openStateFile } from '../src/sandbox/durable/open.ts'
import type { StateFile } from '../src/sandbox/durable/state-file.ts'
import { Registry } from '../src/sandbox/registry.ts'
import type { Sandbox } from '../src/sandbox/sandbox.ts'
import { stateOf } from '../src/sandbox/saved/parts.ts'
import type { Wish } from '../src/sandbox/wish.ts'
import { scratch } from './scratch.ts'
import { still } from './still-machine.ts'
import { toyStage } from './toy-market.ts'

/** A shelf of state files, let go after the test file. */
export function shelf() {
  const file = scratch()
  const opened: StateFile[] = []
  afterAll(() => {
    for (const store of opened) store.close()
  })
  const open = (name: string): StateFile => {
    const store = openStateFile(file(name))
    opened.push(store)
    return store
  }
  /** The file as a process that is killed now leaves it, under another name. */
  const killed = (name: string, as: string): string => {
    for (const end of ['', '-wal'])
      if (existsSync(file(name + end))) copyFileSync(file(name + end), file(as + end))
    return as
  }
  return { file, open, killed }
}

/** A registry over the toy market that keeps its sandboxes. */
export async function house(
  store: StateFile,
  wish: Wish = {},
  by: Machine = still,
): Promise<Registry> {
  const stage = toyStage(60)
  const standing = { clock: 'held', ...wish } as const
  const registry = new Registry(async () => stage, ['HL_TICKERS'], standing, by)
  await registry.open(store)
  return registry
}

/** What counts of a state: when it was looked at does not. */
export function told(sandbox: Sandbox | undefined) {
  const { place, ...rest } = stateOf(sandbox as Sandbox)
  return { ...rest, place: { ...place, clock: { ...place.clock, wallMs: 0 } } }
}

export const ALERT = { subType: 'a', symbol: 'btc:hl', remark: '', shownMs: 1, price: '7' }
