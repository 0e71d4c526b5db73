/** Files in use by a server: a change of one takes effect, or the log says why it does not. */
import { existsSync, type FSWatcher, readFileSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../../clock/system-clock.ts'
import { UserError } from '../../../platform/user-error.ts'
import { putScenario } from '../../../sandbox/market-events/scenario-coins.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { DEFAULT_SANDBOX_ID, type SandboxOptions } from '../../../sandbox/sandbox-config.ts'
import type { Scenario } from '../../../sandbox/scenario/scenario.ts'
import {
  readScenarioFile,
  scenarioLibrary,
  scenarioNames,
} from '../../../sandbox/scenario/scenario-library.ts'
import type { FlagValues, SettingsFile } from '../command.ts'
import type { SERVE } from './declaration.ts'

type Flags = FlagValues<typeof SERVE.flags>

/** The files, and the objects that a change of them concerns. */
export interface WatchedFiles {
  registry: Registry
  /** Options of new sandboxes; changed in place. */
  defaults: SandboxOptions
  /** Folder of the scenarios that are named without a path. */
  library: string
  /** Scenarios given as files, by path. */
  scenarioFiles: Map<string, Scenario>
  /** Folders of stories. */
  storyFolders: readonly string[]
  settings: { file: SettingsFile<Flags>; flags: Flags } | null
  log: (text: string) => void
}

/** Watches the files until the result is called. */
export function watchFiles(files: WatchedFiles): () => void {
  const { scenarioFiles, library, storyFolders, settings } = files
  const tasks = new FileTasks(files.log)
  const watchScenarios = () => {
    for (const file of scenarioFiles.keys()) tasks.watch(file, () => changedFile(files, file))
  }
  watchScenarios()
  tasks.watchFolder(library, (file) => changedLibrary(files, file))
  for (const folder of storyFolders) tasks.watchFolder(folder, (file) => changedStory(files, file))
  if (settings) {
    let { flags } = settings
    tasks.watch(settings.file.path, async () => {
      const now = await settings.file.reread()
      await changedSettings(files, flags, now)
      flags = now
      watchScenarios()
    })
  }
  return () => tasks.stop()
}

/** Calls a task for each changed content, one at a time. */
class FileTasks {
  private readonly watchers: FSWatcher[] = []
  private readonly tasks = new Map<string, (file: string) => Promise<void>>()
  private readonly contents = new Map<string, string | null>()
  private readonly due = new Map<string, () => void>()
  private last: Promise<void> = Promise.resolve()

  constructor(private readonly log: (text: string) => void) {}

  /** Editors replace a file, so its folder is watched. */
  watch(file: string, task: () => Promise<void>): void {
    const whole = path.resolve(file)
    if (this.tasks.has(whole)) return
    this.tasks.set(whole, task)
    this.contents.set(whole, contentOf(whole))
    this.watchNames(path.dirname(whole), (name) => name === path.basename(whole))
  }

  watchFolder(folder: string, task: (file: string) => Promise<void>): void {
    const whole = path.resolve(folder)
    this.tasks.set(whole, task)
    for (const name of scenarioNames(whole))
      for (const suffix of ['.yaml', '.yml']) {
        const file = path.join(whole, name + suffix)
        this.contents.set(file, contentOf(file))
      }
    this.watchNames(whole, (name) => /\.ya?ml$/.test(name))
  }

  stop(): void {
    for (const watcher of this.watchers) watcher.close()
    for (const cancel of this.due.values()) cancel()
  }

  private watchNames(folder: string, isMeant: (name: string) => boolean): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name && isMeant(name)) this.changed(path.join(folder, name))
      })
      watcher.on('error', () => watcher.close())
      this.watchers.push(watcher)
    } catch {
      // Files within an executable cannot change, and a system may refuse further watches.
    }
  }

  /** A write is several events, and a file is incomplete between them. */
  private changed(file: string): void {
    this.due.get(file)?.()
    this.due.set(
      file,
      hostClock.startTimer(SETTLING_MS, () => {
        this.last = this.last.then(() => this.run(file))
      }),
    )
  }

  private async run(file: string): Promise<void> {
    const content = contentOf(file)
    if (content === (this.contents.get(file) ?? null)) return
    this.contents.set(file, content)
    if (content === null) return this.log(`${file} was removed: what was read from it stays`)
    const task = this.tasks.get(file) ?? this.tasks.get(path.dirname(file))
    try {
      await task?.(file)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const why = error.message.split('\n', 1)[0]
      this.log(`${file} has changed and is not used: ${why}; what was read before stays`)
    }
  }
}

const SETTLING_MS = 100

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

// Scenarios.

async function changedFile(files: WatchedFiles, file: string): Promise<void> {
  const { defaults, scenarioFiles } = files
  const before = scenarioFiles.get(file)
  const scenario = readScenarioFile(file)
  // The place of its fields is that of the file, also after its coins are resolved.
  const isMeant = (one: Scenario) => one.place === before?.place
  await replaceEverywhere(files, { file, scenario, isMeant })
  scenarioFiles.set(file, scenario)
  defaults.scenarios = (defaults.scenarios ?? []).map((one) => (isMeant(one) ? scenario : one))
}

async function changedLibrary(files: WatchedFiles, file: string): Promise<void> {
  const scenario = readScenarioFile(file)
  // No other scenario may have a name of the library.
  const isMeant = (one: Scenario) => one.name === scenario.name
  await replaceEverywhere(files, { file, scenario, isMeant })
}

interface Replacement {
  file: string
  scenario: Scenario
  isMeant: (scenario: Scenario) => boolean
}

async function replaceEverywhere(
  { registry, log }: WatchedFiles,
  { file, scenario, isMeant }: Replacement,
): Promise<void> {
  const users = registry
    .list()
    .filter(({ faultInjection }) =>
      faultInjection.activeScenarios.some((one) => isMeant(one.scenario)),
    )
  for (const sandbox of users) {
    const put = (settled: Scenario) => sandbox.faultInjection.replace(isMeant, settled)
    await inTurn(registry, sandbox, putScenario(sandbox, scenario, put))
  }
  const names = users.map(({ id }) => id).join(', ')
  if (users.length > 0) log(`${file} has changed: scenario ${scenario.name} is on anew in ${names}`)
}

async function inTurn(
  { turns }: Registry,
  sandbox: Sandbox,
  work: ReturnType<typeof putScenario>,
): Promise<void> {
  await turns.run(sandbox, work, 'a changed file')
}

// Stories are read anew for each list of them.

async function changedStory({ registry, log }: WatchedFiles, file: string): Promise<void> {
  const { flaws } = registry.stories()
  const flaw = flaws.find((one) => one.includes(path.basename(file)))
  if (flaw !== undefined) throw new UserError(flaw)
  log(`${file} has changed: the story is used when it is started again`)
}

// Settings.

const LIVE: readonly (keyof Flags)[] = ['speed', 'end', 'scenario']

async function changedSettings(files: WatchedFiles, before: Flags, now: Flags): Promise<void> {
  const { registry, settings, log } = files
  const sandbox = registry.get(DEFAULT_SANDBOX_ID)
  const keys = (Object.keys(now) as (keyof Flags)[]).filter(
    (key) => JSON.stringify(now[key]) !== JSON.stringify(before[key]),
  )
  const shown = settings?.file.shown
  if (sandbox && keys.includes('scenario')) await switchScenarios(files, sandbox, now.scenario)
  if (sandbox && (keys.includes('speed') || keys.includes('end'))) {
    const { speed, end } = now
    sandbox.changes.keep(() => {
      sandbox.player.catchUp()
      sandbox.playhead.set(sandbox.clock.nowMs(), { speed, end })
      sandbox.player.reposition()
    })
  }
  const [live, later] = [true, false].map((isLive) =>
    keys.filter((key) => LIVE.includes(key) === isLive).join(', '),
  )
  if (live) log(`${shown} has changed: ${live} is in force in the sandbox ${DEFAULT_SANDBOX_ID}`)
  if (later) log(`${shown} has changed: ${later} takes effect when the server is started again`)
}

async function switchScenarios(
  { registry, scenarioFiles, library, defaults }: WatchedFiles,
  sandbox: Sandbox,
  names: readonly string[],
): Promise<void> {
  const { scenarios, files } = namedScenarios(names, library)
  const { faultInjection } = sandbox
  if (scenarios.length === 0) {
    sandbox.player.catchUp()
    sandbox.changes.keep(() => faultInjection.remove())
  }
  for (const [at, scenario] of scenarios.entries()) {
    const put = (settled: Scenario) =>
      at === 0 ? faultInjection.set(settled) : faultInjection.add(settled)
    await inTurn(registry, sandbox, putScenario(sandbox, scenario, put))
  }
  defaults.scenarios = scenarios
  for (const [file, scenario] of files) scenarioFiles.set(file, scenario)
}

/** Scenarios by name or file, and those of them that are files. */
export function namedScenarios(names: readonly string[], library: string) {
  const scenarios = names.map((name) => findScenario(name, library))
  const files = new Map<string, Scenario>()
  for (const [at, name] of names.entries())
    if (isFile(name)) files.set(name, scenarios[at] as Scenario)
  return { scenarios, files }
}

/** Finds a file, or a scenario of the library. */
function findScenario(name: string, library: string): Scenario {
  if (isFile(name)) return readScenarioFile(name)
  if (/\.ya?ml$/.test(name))
    throw new UserError(
      `${name}: there is no such file; a scenario of the library has no extension`,
    )
  return scenarioLibrary(library)(name)
}

const isFile = (name: string) => existsSync(name) && !statSync(name).isDirectory()
