/** `tapewright serve`: the stand-in on a port. */

import { existsSync, readFileSync } from 'node:fs'
import { hostClock } from '../clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../contract/actions.ts'
import { type ControlGuard, isLoopback } from '../control/guard.ts'
import { controlRoutes } from '../control/index.ts'
import type { WorldProvider } from '../sandbox/loaded-world.ts'
import { Registry } from '../sandbox/registry.ts'
import type { SandboxOptions } from '../sandbox/sandbox-options.ts'
import type { StateFile } from '../sandbox/state-file/state-file.ts'
import { DEFAULT_TAPE, worldProvider } from '../sandbox/world-provider.ts'
import { readScenarioFile, scenarioLibrary } from '../scenario/scenario-library.ts'
import { pages } from '../specs/pages.ts'
import { listen } from '../transport/elysia/listening.ts'
import { server } from '../transport/elysia/server.ts'
import { UserError } from '../user-error.ts'
import type { Command } from './command.ts'
import { cacheFolder, controlToken, RECORDINGS_FOLDER, SCENARIOS_FOLDER } from './environment.ts'
import { choiceFlag, integerFlag, numberFlag, readFlags } from './flags.ts'
import { end, endSignal, type Started } from './serve/ending.ts'
import { startUpText } from './serve/start-up-text.ts'

const USAGE = `tapewright serve [options]

Serves the contract over HTTP and WebSocket from a recorded market.

  --port N            port, 0 for any free one (4010)
  --host HOST         address to listen on (127.0.0.1)
  --tape TAPE         a tape file, or a name in recordings/ (default)
  --seed N            who trades on the tape (1)
  --speed X           0 stands still, 1 as recorded, up to 10000, or max (1)
  --epoch live|tape   show the market as of now, or with its recorded times (live)
  --scenario NAME     what goes wrong: a name in scenarios/ or a file; may be given again
  --questions FILE    answers to open questions, such as conform --observe writes
  --magic on|off      whether magic values work, such as coin TRY-429 (on)
  --clock running|held   run with the machine, or be moved by the control plane (running)
  --idle S            drop sandboxes without requests and sockets for so long, s (never)
  --max-sockets N     sockets that may be open at once (10000)
  --max-sandboxes N   sandboxes that there may be at once (10000)
  --state FILE        keep sandboxes, keys, levels, usage and alerts in this file, made if need be;
                      what it holds counts more than the options above (kept in memory only)
  --until-stdin-ends  end when standard input does, as it does with the process that started it`

export const serve: Command = {
  name: 'serve',
  summary: 'serve the contract over HTTP and WebSocket',
  usage: USAGE,
  async run(args) {
    const options = readOptions(args)
    const token = controlToken()
    if (!isLoopback(options.host) && token === null)
      throw new UserError(
        `on ${options.host} the control plane needs a token: ` +
          'set TAPEWRIGHT_CONTROL_TOKEN, or listen on 127.0.0.1',
      )
    const provider = worldProvider({
      tape: options.tape,
      seed: options.seed,
      recordings: RECORDINGS_FOLDER,
      cacheDir: cacheFolder(),
      log: (text) => console.error(`tapewright: ${text}`),
    })
    const library = scenarioLibrary(SCENARIOS_FOLDER)
    const registry = new Registry(
      provider,
      ACTIVE_ACTIONS,
      options.sandbox,
      hostClock,
      log,
      library,
      options.maxSandboxes,
    )
    const started: Started = { registry, store: null, app: null }
    const guard = { token: isLoopback(options.host) ? null : token }
    const signalled = endSignal(options.untilStdinEnds)
    const signal = await Promise.race([signalled, start(started, provider, guard, options)])
    return end(started, signal ?? (await signalled), log)
  },
}

/** Makes everything that serves; it is in `started` as soon as it has to be ended. */
async function start(
  started: Started,
  provider: WorldProvider,
  guard: ControlGuard,
  options: Options,
): Promise<void> {
  const { registry } = started
  const { maxSockets } = options
  registry.metrics.isStarting = true
  started.app = server({ registry, control: controlRoutes(registry, guard), pages, maxSockets })
  const origin = listen(started.app, options)
  const store = await openStore(options.state, provider)
  started.store = store
  await registry.open(store)
  registry.metrics.isStarting = false
  registry.metrics.eventLoop.start()
  console.log(`tapewright listening on ${origin}\n${startUpText(origin)}`)
}

/** The tape is opened first: what is wrong with it is reported before a file is made. */
async function openStore(
  file: string | undefined,
  provider: WorldProvider,
): Promise<StateFile | null> {
  if (file === undefined) return null
  await provider({})
  const { openStateFile } = await import('../sandbox/state-file/opening.ts')
  return openStateFile(file)
}

interface Options {
  port: number
  host: string
  tape: string
  seed: number
  state: string | undefined
  maxSockets: number
  maxSandboxes: number
  untilStdinEnds: boolean
  sandbox: SandboxOptions
}

function readOptions(args: string[]): Options {
  const values = readFlags('serve', args, FLAGS)
  const { idle, scenario } = values
  const speed = values.speed === 'max' ? 'max' : numberFlag('--speed', values.speed, 0, 10_000)
  return {
    port: integerFlag('--port', values.port, 0, 65_535),
    host: values.host,
    tape: values.tape,
    seed: integerFlag('--seed', values.seed, 0, Number.MAX_SAFE_INTEGER),
    state: values.state,
    maxSockets: integerFlag('--max-sockets', values['max-sockets'], 1, 1_000_000),
    maxSandboxes: integerFlag('--max-sandboxes', values['max-sandboxes'], 1, 1_000_000),
    untilStdinEnds: values['until-stdin-ends'],
    sandbox: {
      speed,
      epoch: choiceFlag('--epoch', values.epoch, ['live', 'tape']),
      clock: choiceFlag('--clock', values.clock, ['running', 'held']),
      magic: choiceFlag('--magic', values.magic, ['on', 'off']),
      ...(values.questions === undefined ? {} : { questions: readQuestionsFile(values.questions) }),
      ...(scenario === undefined ? {} : { scenarios: scenario.map(findScenario) }),
      ...(idle === undefined ? {} : { idleMs: 1000 * integerFlag('--idle', idle, 1, 2_000_000) }),
    },
  }
}

/** The answers in a file: bare, or under `questions`. */
function readQuestionsFile(file: string): Record<string, string> {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8'))
    return read.questions ?? read
  } catch (error) {
    throw new UserError(`--questions ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** A file as it is named, or one of the library. */
const findScenario = (name: string) =>
  existsSync(name) ? readScenarioFile(name) : scenarioLibrary(SCENARIOS_FOLDER)(name)

const FLAGS = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  tape: { type: 'string', default: DEFAULT_TAPE },
  seed: { type: 'string', default: '1' },
  speed: { type: 'string', default: '1' },
  epoch: { type: 'string', default: 'live' },
  clock: { type: 'string', default: 'running' },
  scenario: { type: 'string', multiple: true },
  questions: { type: 'string' },
  magic: { type: 'string', default: 'on' },
  idle: { type: 'string' },
  'max-sockets': { type: 'string', default: '10000' },
  'max-sandboxes': { type: 'string', default: '10000' },
  state: { type: 'string' },
  'until-stdin-ends': { type: 'boolean', default: false },
} as const

const log = (line: string) => console.error(`tapewright: ${line}`)
