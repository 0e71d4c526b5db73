/** The worker of a page: a registry over the pocket world answers what the page passes on. */

import { hostClock } from '../../clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../contract/actions.ts'
import { UserError } from '../../platform/user-error.ts'
import { Registry } from '../../sandbox/registry.ts'
import { listedScenarios } from '../../sandbox/scenario/scenario-list.ts'
import { parseScenarioYaml } from '../../sandbox/scenario/scenario-parser.ts'
import { controlRoutes } from '../control/index.ts'
import { CONTROL_PATH } from '../transport/elysia/http-response.ts'
import type { Backend } from '../transport/msw/backend.ts'
import { registryBackend } from '../transport/msw/registry-backend.ts'
import { answerControl } from './control-requests.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'
import { loadPocket, type PocketManifest } from './pocket-files.ts'
import { pocketWorlds } from './pocket-worlds.ts'
import { WorkerDesk } from './worker-desk.ts'

declare const self: Worker

const report = (message: WorkerMessage, transfer: ArrayBuffer[] = []) =>
  self.postMessage(message, transfer)

let desk: WorkerDesk | null = null

self.onmessage = ({ data }: MessageEvent<PageMessage>) => {
  if (!('open' in data)) return desk?.receive(data)
  open(data.open.folder).then(
    (backend) => {
      desk = new WorkerDesk(backend, report)
      report({ opened: true })
    },
    (error) => report({ failed: textOf(error) }),
  )
}

async function open(folder: string): Promise<Backend> {
  const log = (text: string) => console.info(`tapewright: ${text}`)
  const files = await loadPocket(folder)
  const worlds = await pocketWorlds(files, log)
  const library = libraryOf(files.manifest)
  const registry = new Registry(worlds, ACTIVE_ACTIONS, {}, hostClock, log, library)
  const routes = controlRoutes(registry, { token: null })
  const contract = registryBackend(registry)
  return {
    ...contract,
    request: (request) =>
      request.path.startsWith(CONTROL_PATH)
        ? answerControl(routes, request)
        : contract.request(request),
  }
}

const libraryOf = ({ scenarios }: PocketManifest) =>
  listedScenarios(
    () => Object.keys(scenarios),
    (name) => parseScenarioYaml(name, `${name}.yaml`, scenarios[name] ?? ''),
  )

function textOf(error: unknown): string {
  if (error instanceof UserError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
