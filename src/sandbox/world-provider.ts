/** Worlds for sandboxes: found in the cache or cast, and shared by all that use the same one. */

import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { CoinStanding } from '../market/events/event-kind.ts'
import type { MoodName } from '../market/synth/mood.ts'
import type { CoinChange } from '../market/world/market-standing.ts'
import type { World } from '../market/world/world.ts'
import { openWorld } from '../market/world/world-file.ts'
import { UserError } from '../platform/user-error.ts'
import { fileDigest } from '../tape/file-digest.ts'
import type { Recording } from '../tape/replay/as-recorded/recording.ts'
import { replayedTimeline } from '../tape/replay/as-recorded/replayed-timeline.ts'
import type { RecordedRoutes } from '../tape/replay/recorded-routes.ts'
import type { Upstream } from '../tape/replay/upstream.ts'
import type { TapeHeader } from '../tape/tape-event.ts'
import { findRecording, findTape } from '../tape/tape-name.ts'
import type {
  Casting,
  LineStatus,
  LoadedWorld,
  MarketGrowth,
  WorldProvider,
} from './loaded-world.ts'
import { checkMemory, type MemoryLimit } from './memory.ts'
import { CastingQueue, castInProcess } from './worlds/casting-process.ts'
import { castingNeed, castingTime, checkCastingSpace } from './worlds/casting-space.ts'
import type { CastingOrder } from './worlds/casting-worker.ts'
import { growInThread } from './worlds/growth-thread.ts'
import { historyOrder, lineFiles, marketHeader, tapeHeader } from './worlds/line-files.ts'
import type { LineHost } from './worlds/line-grower.ts'
import { GrowthSlots } from './worlds/line-grower.ts'
import { MarketLine } from './worlds/market-line.ts'
import { warmGrown, warmUp } from './worlds/warming.ts'

export interface WorldProviderSettings {
  /** The tape to play when a sandbox does not name one: a file, or a name in `recordings`. */
  tape: string
  seed: number
  /** Candles for the time before this tape: `FILE` or `COIN=FILE`. */
  history?: readonly string[]
  recordings: string
  /** The recording that sandboxes may name besides those in `recordings`. */
  replay?: string | undefined
  /** What recorded paths mean; a server without it serves no recording back. */
  routes?: RecordedRoutes
  /** The service that is asked for what a recording does not have. */
  upstream?: Upstream | null
  cacheDir: string
  /** Where worlds lie that were packed before; null for nowhere. */
  packedDir?: string | null
  /** What a casting may use of memory; not bounded when left out. */
  memory?: MemoryLimit
  /** Writes a line about what takes a while, and why. */
  log: (text: string) => void
  /** Told how far a casting is, again and again until it ends. */
  onProgress?: (casting: Casting) => void
}

/** Loads worlds; sandboxes may name recordings only, and the tape the server was started with. */
export function worldProvider(settings: WorldProviderSettings): WorldProvider {
  const open = new Map<string, Promise<LoadedBase>>()
  const moods = new Map<string, Promise<MarketLine>>()
  const replays = new Map<string, Promise<ReplayedWorld>>()
  const lines = new Set<{ readonly status: LineStatus | null }>()
  const atOnce = Math.max(1, navigator.hardwareConcurrency >> 1)
  const queue = new CastingQueue(atOnce)
  const { cacheDir, log } = settings
  const host: LineHost = {
    store: lineFiles(cacheDir),
    log,
    slots: new GrowthSlots(atOnce),
    start: growInThread,
    track(line) {
      lines.add(line)
      return () => lines.delete(line)
    },
  }
  const provide: WorldProvider = (named) => {
    const tape = named.tape ?? settings.tape
    const path =
      tape === settings.tape
        ? findTape(tape, settings.recordings)
        : findRecording(tape, settings.recordings)
    const seed = named.seed ?? settings.seed
    const history = tape === settings.tape ? (settings.history ?? []) : []
    const id = `${path}#${seed}`
    const inBackground = open.size > 0
    const order = { tapePath: path, seed: String(seed), inBackground }
    const base = known(open, id, () => loadWorld({ ...order, named: history }, settings, queue))
    const { mood = null, replay } = named
    const main = () => known(moods, `${id}#${mood}`, async () => mainLine(await base, mood, host))
    if (replay === undefined) return main()
    const file =
      replay === settings.replay
        ? findTape(replay, settings.recordings)
        : findRecording(replay, settings.recordings)
    return known(replays, `${id}#${mood}#${file}`, async () =>
      replayed(await main(), file, settings),
    )
  }
  provide.castings = () => queue.list()
  provide.lines = () => [...lines].flatMap(({ status }) => status ?? [])
  return provide
}

async function replayed(
  line: MarketLine,
  file: string,
  { routes, upstream = null, cacheDir }: WorldProviderSettings,
): Promise<ReplayedWorld> {
  if (!routes) throw new UserError('this server cannot replay recordings: leave out replay')
  // Loaded when it is needed, as reading tapes is.
  const { Recording } = await import('../tape/replay/as-recorded/recording.ts')
  const recording = await Recording.open(file, routes, line.timeline, cacheDir)
  return new ReplayedWorld(line, recording, upstream)
}

/** What a key stands for, made once; tried again where it could not be made. */
function known<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = map.get(key)
  if (there) return there
  const making = make()
  map.set(key, making)
  making.catch(() => map.delete(key))
  return making
}

/** What was cast, on which each mood goes on in a line of its own. */
interface LoadedBase {
  id: string
  world: World
}

function mainLine({ id, world }: LoadedBase, mood: MoodName | null, host: LineHost): MarketLine {
  const origin = { id, world, t0Ms: world.tapeEndMs, mood, events: [], branches: null }
  return new MarketLine(origin, host, warmGrown)
}

type WorldOrder = Pick<CastingOrder, 'tapePath' | 'seed' | 'inBackground'> & {
  /** Candles for the time before the tape, as they were named. */
  named: readonly string[]
}

/** The casting of a tape with so many events takes a quarter of a minute or more. */
const LONG_EVENTS = 1_000_000

const eventsOf = ({ counts }: TapeHeader): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

async function loadWorld(
  { tapePath, seed, inBackground, named }: WorldOrder,
  { cacheDir, packedDir = null, memory, log, onProgress: tell }: WorldProviderSettings,
  queue: CastingQueue,
): Promise<LoadedBase> {
  const tapeDigest = await fileDigest(tapePath)
  const history = await historyOrder(named)
  const id = [
    tapeDigest.slice(0, 12),
    seed,
    ...(named.length > 0 ? [history.digest.slice(0, 12)] : []),
  ].join('/')
  const world = await openWorld({
    tapeDigest,
    seed,
    historyDigest: history.digest,
    cacheDir,
    packedDir,
    log,
    source: async () => (await tapeHeader(tapePath)).source,
    takes: async () => castingTime(await tapeHeader(tapePath)),
    resumes: async () => eventsOf(await tapeHeader(tapePath)) >= LONG_EVENTS,
    cast: async (file) => {
      const header = await marketHeader(tapePath)
      if (memory) checkMemory(castingNeed(header), memory)
      checkCastingSpace(header, file)
      const casting = { world: id, events: 0, of: eventsOf(header) }
      const onProgress = (events: number) => {
        casting.events = events
        tell?.(casting)
      }
      const resumes = casting.of >= LONG_EVENTS
      const order = { tapePath, tapeDigest, seed, history, file, resumes, inBackground }
      await queue.run(casting, () => castInProcess(order, onProgress))
    },
  })
  warmUp(world)
  return { id, world }
}

/** A world in which a recording is played as well. */
class ReplayedWorld implements LoadedWorld {
  readonly id: string
  readonly timeline: Timeline
  readonly growth?: MarketGrowth

  constructor(
    private readonly base: LoadedWorld,
    readonly recording: Recording,
    readonly upstream: Upstream | null,
  ) {
    this.id = `${base.id}+${recording.id}`
    this.timeline = replayedTimeline(base.timeline, recording.frames)
    if (base.growth) this.growth = replayedGrowth(base.growth, recording, upstream)
  }

  get coins(): readonly string[] {
    return this.base.coins
  }

  facts(moment: Moment): Facts {
    return this.base.facts(moment)
  }

  cast(moment: Moment): unknown {
    return this.base.cast(moment)
  }

  standings(atMs: TapeMs): Slices<CoinStanding[]> {
    return this.base.standings(atMs)
  }

  namesOf(coin: string): string[] {
    return this.base.namesOf(coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return this.base.change(coin, fromMs, toMs)
  }
}

/** The same growth; a market that branches off has the recording too. */
const replayedGrowth = (
  growth: MarketGrowth,
  recording: Recording,
  upstream: Upstream | null,
): MarketGrowth => ({
  ensure: (untilMs) => growth.ensure(untilMs),
  onGrown: (listener) => growth.onGrown(listener),
  hold: () => growth.hold(),
  branch: async (branch) => new ReplayedWorld(await growth.branch(branch), recording, upstream),
})
