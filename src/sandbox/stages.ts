/** Worlds for sandboxes: found in the cache or cast, and shared by all who ask for the same one. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Complaint } from '../complaint.ts'
import { digestOf } from '../tape/digest.ts'
import { openTape } from '../tape/reader.ts'
import { factsOf } from '../world/facts.ts'
import { castOf } from '../world/queries/cast.ts'
import { warming } from '../world/queries/warming.ts'
import { openWorld } from '../world/store.ts'
import { storyOf } from '../world/story.ts'
import type { StageDoor } from './registry.ts'
import type { Stage } from './stage.ts'

export interface StageSettings {
  /** The tape to play when a sandbox does not name one: a file, or a name in `recordings`. */
  tape: string
  seed: number
  recordings: string
  cacheDir: string
  /** Told what takes a while, and why. */
  say: (text: string) => void
}

export const DEFAULT_TAPE = 'default'

/** Opens stages; sandboxes may name recordings only, and the tape the server was started with. */
export function stageDoor(settings: StageSettings): StageDoor {
  const open = new Map<string, Promise<Stage>>()
  return (wish) => {
    const named = wish.tape ?? settings.tape
    const path =
      named === settings.tape
        ? locate(named, settings.recordings)
        : recording(named, settings.recordings)
    const seed = wish.seed ?? settings.seed
    const id = `${path}#${seed}`
    const known = open.get(id)
    if (known) return known
    const made = build(path, seed, settings)
    open.set(id, made)
    made.catch(() => open.delete(id))
    return made
  }
}

async function build(path: string, seed: number, settings: StageSettings): Promise<Stage> {
  const { cacheDir, say } = settings
  const [tape, digest] = await Promise.all([openTape(path), digestOf(path)])
  const world = await openWorld({ tape: { ...tape, digest }, seed: String(seed), cacheDir, say })
  return {
    id: `${digest.slice(0, 12)}/${seed}`,
    story: storyOf(world),
    facts: factsOf(world),
    cast: (moment) => castOf(world, moment),
    warming: (moment) => warming(world, moment),
  }
}

/** A file as it is named, or a recording. */
function locate(named: string, recordings: string): string {
  return existsSync(named) ? named : recording(named, recordings)
}

function recording(name: string, recordings: string): string {
  // A name is looked for in the folder's list, so that none can lead out of it.
  const tapes = readdirSync(recordings).filter((file) => ENDING.test(file))
  const found = tapes.find((file) => file === name || file.replace(ENDING, '') === name)
  if (found) return join(recordings, found)
  const known = tapes.map((file) => file.replace(ENDING, '')).join(', ') || 'none'
  throw new Complaint(`there is no tape "${name.slice(0, 100)}"; recordings are ${known}`)
}

const ENDING = /\.tape\.ndjson(\.zst)?$/
