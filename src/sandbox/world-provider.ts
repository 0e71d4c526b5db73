/** Provides worlds for sandboxes: found in the cache or cast, and shared by all users of one. */

import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { LiquiditySnapshot } from '../market/events/event-kind.ts'
import type { CoinChange } from '../market/world/market-standing.ts'
import { warmGrown, warmUp } from '../market/world/warming.ts'
import type { World } from '../market/world/world.ts'
import { openWorld } from '../market/world/world-file.ts'
import { UserError } from '../platform/user-error.ts'
import { fileDigest } from '../tape/compression.ts'
import { replayedTimeline } from '../tape/replay/as-recorded/recorded-streams.ts'
import type { Recording } from '../tape/replay/as-recorded/recording.ts'
import type { RecordedRoutes, Upstream } from '../tape/replay/upstream.ts'
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
import {
  CastingQueue,
  castInProcess,
  castingNeed,
  castingTime,
  checkCastingSpace,
  historyOrder,
  IS_BINARY,
  marketHeader,
  tapeHeader,
} from './worlds/casting-process.ts'
import type { CastingOrder } from './worlds/casting-worker.ts'
import { GrowthSlots, type LineHost } from './worlds/line-grower.ts'
import { growInThread, lineFiles } from './worlds/line-host.ts'
import { MarketLine } from './worlds/market-line.ts'

export interface WorldProviderSettings {
  /** The default tape: a file, or a name in `recordings`. */
  tape: string
  seed: number
  /** Candles for the time before this tape: `FILE` or `COIN=FILE`. */
  history?: readonly string[]
  recordings: string
  /** A recording that sandboxes may name besides those in `recordings`. */
  replay?: string | undefined
  /** Routes of recorded paths; a server without them replays no recordings. */
  routes?: RecordedRoutes
  /** The upstream service for what a recording lacks. */
  upstream?: Upstream | null
  cacheDir: string
  /** Folder of packed worlds; null for none. */
  packedDir?: string | null
  /** Reads worlds ahead of requests, so that the first ones are as fast; yes by default. */
  isWarmed?: boolean
  /** Memory limit of a casting; unbounded by default. */
  memory?: MemoryLimit
  /** Writes a line about long work and its reason. */
  log: (text: string) => void
  /** Called when a casting begins, and repeatedly with its progress until it ends. */
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
  const { cacheDir, log, isWarmed = true } = settings
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
    const main = () =>
      known(moods, `${id}#${mood}`, async () => {
        const { id, world } = await base
        const origin = { id, world, t0Ms: world.tapeEndMs, mood, events: [], branches: null }
        return new MarketLine(origin, host, isWarmed ? warmGrown : async () => {})
      })
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
  // Loaded on demand, as reading tapes is.
  const { Recording } = await import('../tape/replay/as-recorded/recording.ts')
  const recording = await Recording.open(file, routes, line.timeline, cacheDir)
  return new ReplayedWorld(line, recording, upstream)
}

/** The value of a key, made once; made again after a failure. */
function known<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = map.get(key)
  if (there) return there
  const making = make()
  map.set(key, making)
  making.catch(() => map.delete(key))
  return making
}

/** A cast world, which each mood continues in a line of its own. */
interface LoadedBase {
  id: string
  world: World
}

type WorldOrder = Pick<CastingOrder, 'tapePath' | 'seed' | 'inBackground'> & {
  /** Candles for the time before the tape, as named. */
  named: readonly string[]
}

/** Number of events with which a casting takes a quarter of a minute or more. */
const LONG_EVENTS = 1_000_000

const eventsOf = ({ counts }: TapeHeader): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

async function loadWorld(
  { tapePath, seed, inBackground, named }: WorldOrder,
  {
    cacheDir,
    packedDir = null,
    memory,
    isWarmed = true,
    log,
    onProgress: tell,
  }: WorldProviderSettings,
  queue: CastingQueue,
): Promise<LoadedBase> {
  const tapeDigest = await fileDigest(tapePath)
  const history = await historyOrder(named)
  const id = [
    tapeDigest.slice(0, 12),
    seed,
    ...(named.length > 0 ? [history.digest.slice(0, 12)] : []),
  ].join('/')
  const run = async (file: string, isApart: boolean) => {
    const header = await marketHeader(tapePath)
    if (memory) checkMemory(castingNeed(header), memory)
    checkCastingSpace(header, file)
    const casting = { world: id, events: 0, of: eventsOf(header) }
    const onProgress = (events: number) => {
      casting.events = events
      tell?.(casting)
    }
    const resumes = casting.of >= LONG_EVENTS
    const order = { tapePath, tapeDigest, seed, history, file, resumes, isApart, inBackground }
    // The first event is cast after the past, which is most of the work.
    tell?.(casting)
    await queue.run(casting, () => castInProcess(order, onProgress, log))
  }
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
    cast: (file) => run(file, false),
    castApart: IS_BINARY ? undefined : (file) => run(file, true),
    onOthersProgress: ({ done, of }) => tell?.({ world: id, events: done, of }),
  })
  if (isWarmed) warmUp(world)
  return { id, world }
}

/** A world in which a recording is replayed as well. */
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

  get source(): string {
    return this.base.source
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

  standings(atMs: TapeMs): Slices<LiquiditySnapshot[]> {
    return this.base.standings(atMs)
  }

  namesOf(coin: string): string[] {
    return this.base.namesOf(coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return this.base.change(coin, fromMs, toMs)
  }
}

/** The growth with the recording: branches have it too. */
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
