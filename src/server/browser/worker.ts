/** The worker of a page: a registry over the pocket world answers the page's requests. */

import { hostClock } from '../../clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../contract/actions.ts'
import { UserError } from '../../platform/user-error.ts'
import { Registry } from '../../sandbox/registry.ts'
import { listedScenarios } from '../../sandbox/scenario/scenario-list.ts'
import { parseScenarioYaml } from '../../sandbox/scenario/scenario-parser.ts'
import { findRoute, type GuardedRoute, unknownCallResponse } from '../control/control-call.ts'
import { controlRoutes } from '../control/index.ts'
import { CONTROL_PATH, splitUrl, toControlResponse } from '../transport/elysia/http-response.ts'
import type { Backend, BackendRequest } from '../transport/msw/backend.ts'
import { registryBackend } from '../transport/msw/registry-backend.ts'
import { MessageBridge } from './message-bridge.ts'
import type { PageMessage, WorkerMessage } from './messages.ts'
import { loadPocket, type PocketManifest } from './pocket-files.ts'
import { pocketWorlds } from './pocket-worlds.ts'

declare const self: Worker

const report = (message: WorkerMessage, transfer: ArrayBuffer[] = []) =>
  self.postMessage(message, transfer)

let desk: MessageBridge | null = null

self.onmessage = ({ data }: MessageEvent<PageMessage>) => {
  if (!('open' in data)) return desk?.receive(data)
  open(data.open.folder).then(
    (backend) => {
      desk = new MessageBridge(backend, report)
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

/** Origin of the control plane in a sandbox's addresses; nothing listens there. */
const CONTROL_ORIGIN = 'http://localhost'

/** Answers a call of the control plane without a network. */
async function answerControl(
  routes: readonly GuardedRoute[],
  { method, path: fullPath, headers, body, signal }: BackendRequest,
): Promise<Response> {
  const { pathname: path, query } = splitUrl(fullPath)
  const found = findRoute(routes, method, path)
  if (!found) return toControlResponse(unknownCallResponse(routes, method, path))
  const { route, params } = found
  const text = body ? new TextDecoder().decode(body) : ''
  const call = { params, query, body: text, headers, origin: CONTROL_ORIGIN, signal }
  return toControlResponse(await route.answer(call))
}
