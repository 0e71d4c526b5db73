/** `tapewright serve`: the stand-in on a port. */

import { existsSync, statSync } from 'node:fs'
import { hostClock } from '../../clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../contract/actions.ts'
import { pages } from '../../pages/documents/pages.ts'
import {
  cacheFolder,
  controlToken,
  memoryBytes,
  packedWorldsFolder,
  RECORDINGS_FOLDER,
  redisCredentials,
  SCENARIOS_FOLDER,
  STORIES_FOLDER,
} from '../../platform/environment.ts'
import { ownMemoryBytes } from '../../platform/own-memory.ts'
import { UserError } from '../../platform/user-error.ts'
import { VERSION } from '../../platform/version.ts'
import { type Casting, type WorldProvider, worldOf } from '../../sandbox/loaded-world.ts'
import { type MemoryLimit, ProcessMemory, servingMemory } from '../../sandbox/memory.ts'
import { Registry } from '../../sandbox/registry.ts'
import type { SandboxOptions } from '../../sandbox/sandbox-config.ts'
import type { SandboxStore } from '../../sandbox/sandbox-store.ts'
import type { Scenario } from '../../sandbox/scenario/scenario.ts'
import { scenarioLibrary } from '../../sandbox/scenario/scenario-library.ts'
import { RECORDED_ROUTES } from '../../sandbox/session/socket-upgrade.ts'
import type { RedisConnection } from '../../sandbox/shared-state/redis-connection.ts'
import { isRedisUrl, readRedisUrl } from '../../sandbox/shared-state/redis-url.ts'
import { storyLibrary } from '../../sandbox/story/story-library.ts'
import { worldProvider } from '../../sandbox/world-provider.ts'
import type { Upstream } from '../../tape/replay/upstream.ts'
import { type ControlGuard, guestToken, isLoopback } from '../control/control-call.ts'
import { controlRoutes } from '../control/index.ts'
import { notReadyReasons } from '../control/operations/server.ts'
import { listen, server } from '../transport/elysia/server.ts'
import { startWatchdog } from '../watchdog/watchdog.ts'
import type { FlagValues, Run } from './command.ts'
import { readJsonFile } from './input-file.ts'
import type { SERVE } from './serve/declaration.ts'
import {
  end,
  endSignal,
  restoreSignalListeners,
  STDIN_ENDED,
  type Started,
} from './serve/ending.ts'
import {
  demoText,
  openInBrowser,
  readyRecord,
  replayOptions,
  replayUpstream,
  startUpText,
} from './serve/start-up-text.ts'
import { namedScenarios, watchFiles } from './serve/watched-files.ts'
import { castingProgress, progressLine, writeLine } from './terminal.ts'

/** Serves until a signal ends it. */
export const serve: Run<typeof SERVE> = async ({ flags, settingsFile = null }) => {
  const options = optionsOf(flags)
  const token = controlToken()
  if (!isLoopback(options.host) && token === null)
    throw new UserError(
      `on ${options.host} the control plane needs a token: ` +
        'set TAPEWRIGHT_CONTROL_TOKEN, or listen on 127.0.0.1',
    )
  const progress = progressLine()
  if (options.workers > 1)
    return (await import('./serve/workers.ts')).runWorkers(options, (line) =>
      writeLine(`tapewright: ${line}`),
    )
  const log = (line: string) => {
    progress.clear()
    writeLine(`tapewright: ${line}`)
  }
  const showCasting = castingProgress(progress, log)
  const provider = servingWorlds(options, log, (casting) => {
    if (registry.metrics.isStarting) showCasting(casting, started.origin)
  })
  const library = scenarioLibrary(SCENARIOS_FOLDER)
  const connection = await connectStore(options.state)
  const systemClock = connection?.clock ?? hostClock
  const registry = new Registry(
    provider,
    ACTIVE_ACTIONS,
    options.sandbox,
    systemClock,
    log,
    library,
    options.maxSandboxes,
  )
  registry.memory = new ProcessMemory(systemClock, {
    boundBytes: options.memory.boundBytes,
    residentBytes: ownMemoryBytes,
    collect: () => Bun.gc(true),
  })
  registry.stories = storyLibrary(options.stories, () => library.names())
  const started: Started = { registry, store: null, app: null }
  const guard = { token: isLoopback(options.host) ? null : token }
  const signalled = endSignal(options.untilStdinEnds)
  const watching = {
    registry,
    defaults: options.sandbox,
    library: SCENARIOS_FOLDER,
    scenarioFiles: options.scenarioFiles,
    storyFolders: options.stories,
    settings: settingsFile && { file: settingsFile, flags },
    log,
  }
  const starting = start(started, provider, guard, { ...options, connection })
    .finally(() => progress.clear())
    .then(async (ready) => {
      started.stopWatching = watchFiles(watching)
      console.log(ready)
      // A thread takes a tenth of a start, and only its port may get requests by now.
      started.stopWatchdog ??= await watchdogOf(registry, options)
    })
  const signal = await Promise.race([signalled, starting])
  const reason = signal ?? (await signalled)
  // The next server finds an unpacked world; a casting goes on by itself.
  const isUnpacking = reason === STDIN_ENDED && provider.castings?.().length === 0
  if (isUnpacking) await starting.catch(() => {})
  return end(started, reason, { log, digest: options.digest })
}

/**
 * Creates the parts of the server; each is in `started` as soon as it has to be ended. Returns the
 * text to print when ready.
 */
async function start(
  started: Started,
  provider: WorldProvider,
  guard: ControlGuard,
  options: Options & { connection: RedisConnection | null },
): Promise<string> {
  const { registry } = started
  const { maxSockets } = options
  registry.metrics.isStarting = true
  started.app = server({ registry, control: controlRoutes(registry, guard), pages, maxSockets })
  const { app } = started
  const open = () => {
    started.origin = listen(app, options)
    return started.origin
  }
  // Where others answer meanwhile, a server that is not ready yet takes no connections.
  const early = options.sharePort ? null : open()
  const store = await openStore(options, provider)
  started.store = store
  await registry.open(store)
  registry.metrics.isStarting = false
  const origin = early ?? open()
  registry.metrics.eventLoop.start()
  if (options.healthPort !== null) started.stopWatchdog = await watchdogOf(registry, options)
  if (options.open) openInBrowser(`${origin}/console${options.demo ? '?demo' : ''}`)
  if (options.json) return JSON.stringify(readyRecord(origin))
  return startUpText(origin) + (options.demo ? demoText(origin, guestToken(guard)) : '')
}

/** A debugger stops the thread without limit: then nothing is watched. */
async function watchdogOf(
  registry: Registry,
  { hangLimitS, healthPort, host }: Options,
): Promise<() => void> {
  if (process.execArgv.some((flag) => flag.startsWith('--inspect'))) return () => {}
  const { systemClock, turns } = registry
  const isReady = () => notReadyReasons(registry).length === 0
  const watched = { systemClock, turns, isReady, restoreSignals: restoreSignalListeners }
  return startWatchdog(watched, { hangLimitS, healthPort, host })
}

/** The connection to the Redis server that the address names; null for a file, or none. */
async function connectStore(state: string | undefined): Promise<RedisConnection | null> {
  if (state === undefined || !isRedisUrl(state)) return null
  const address = readRedisUrl(state, redisCredentials())
  const { connectRedis } = await import('../../sandbox/shared-state/redis-connection.ts')
  return connectRedis(address)
}

/** The tape is opened first: its errors are reported before anything is written. */
async function openStore(
  { state, connection }: Pick<Options, 'state'> & { connection: RedisConnection | null },
  provider: WorldProvider,
): Promise<SandboxStore | null> {
  if (state === undefined) return null
  const world = await provider({})
  if (connection) {
    const { RedisStore } = await import('../../sandbox/shared-state/redis-store.ts')
    const store = new RedisStore(connection, ({ config, world: { id } }, progress) =>
      worldOf(provider, config.options, { world: id, progress }),
    )
    await store.enter({ program: VERSION, world: world.id })
    return store
  }
  const { openStateFile } = await import('../../sandbox/state-file/state-file.ts')
  return openStateFile(state)
}

interface Options {
  port: number
  host: string
  tape: string
  seed: number
  history: readonly string[]
  upstream: Upstream | null
  state: string | undefined
  workers: number
  sharePort: boolean
  maxSockets: number
  maxSandboxes: number
  memory: ReturnType<typeof servingMemory>
  hangLimitS: number
  healthPort: number | null
  /** Whether the output is for a program. */
  json: boolean
  /** Folders of stories. */
  stories: readonly string[]
  demo: boolean
  /** Whether the console is opened in a browser. */
  open: boolean
  untilStdinEnds: boolean
  /** The scenarios that are files, by path. */
  scenarioFiles: Map<string, Scenario>
  /** Whether the digest of each sandbox is printed at the end. */
  digest: boolean
  sandbox: SandboxOptions
}

function optionsOf(flags: FlagValues<typeof SERVE.flags>): Options {
  const { port, host, tape, seed, history, state, maxSockets, maxSandboxes, memory } = flags
  const { hangLimit, healthPort, workers, sharePort } = flags
  const { json, untilStdinEnds, digest, demo, open, stories } = flags
  const { speed, end, epoch, mood, clock, magic, questions, strict, scenario, idle } = flags
  const named = namedScenarios(scenario, SCENARIOS_FOLDER)
  return {
    port,
    host,
    tape,
    seed,
    history,
    upstream: replayUpstream(flags),
    state,
    workers,
    sharePort,
    maxSockets,
    maxSandboxes,
    memory: servingMemory(memory, memoryBytes()),
    hangLimitS: hangLimit,
    healthPort: healthPort ?? null,
    json,
    stories: [STORIES_FOLDER, ...(stories === undefined ? [] : [foundFolder(stories)])],
    demo,
    open,
    untilStdinEnds,
    digest,
    scenarioFiles: named.files,
    sandbox: {
      speed,
      end,
      epoch,
      clock,
      magic,
      ...replayOptions(flags),
      ...(mood === undefined ? {} : { mood }),
      ...(strict ? { strict } : {}),
      ...(questions === undefined ? {} : { questions: readQuestionsFile(questions) }),
      ...(scenario.length === 0 ? {} : { scenarios: named.scenarios }),
      ...(idle === undefined ? {} : { idleMs: 1000 * idle }),
    },
  }
}

/** Reads the answers in a file: bare, or under `questions`. */
function readQuestionsFile(file: string): Record<string, string> {
  const shown = `--questions ${file}`
  const read = readJsonFile(file, shown)
  const questions = read.questions ?? read
  const isAnswers =
    typeof questions === 'object' &&
    Object.values(questions).every((answer) => typeof answer === 'string')
  if (isAnswers) return questions as Record<string, string>
  throw new UserError(`${shown} must hold answers, such as {"over-rate": "429"}`)
}

function foundFolder(name: string): string {
  if (existsSync(name) && statSync(name).isDirectory()) return name
  throw new UserError(`--stories ${name} is not a folder: name one with stories, such as mine.yaml`)
}

/** The worlds of a server, as its flags name them. */
interface Named {
  tape: string
  seed: number
  history: readonly string[]
  upstream: Upstream | null
  sandbox: SandboxOptions
  memory: { casting: MemoryLimit }
}

/** @param onProgress called with a casting's progress */
const servingWorlds = (
  { tape, seed, history, upstream, sandbox, memory }: Named,
  log: (line: string) => void,
  onProgress: (casting: Casting) => void,
): WorldProvider =>
  worldProvider({
    tape,
    seed,
    history,
    replay: sandbox.replay,
    upstream,
    routes: RECORDED_ROUTES,
    recordings: RECORDINGS_FOLDER,
    cacheDir: cacheFolder(),
    packedDir: packedWorldsFolder(),
    memory: memory.casting,
    log,
    onProgress,
  })
