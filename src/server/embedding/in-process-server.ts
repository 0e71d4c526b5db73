/** A server in this process, which has to be Bun. */

import { hostClock } from '../../clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../contract/actions.ts'
import { pages } from '../../pages/documents/pages.ts'
import { SCENARIOS_FOLDER, STORIES_FOLDER } from '../../platform/environment.ts'
import type { WorldProvider } from '../../sandbox/loaded-world.ts'
import { Registry } from '../../sandbox/registry.ts'
import { scenarioLibrary } from '../../sandbox/scenario/scenario-library.ts'
import { storyLibrary } from '../../sandbox/story/story-library.ts'
import { defaultWorlds } from '../commands/serve/start-up-text.ts'
import { controlRoutes } from '../control/index.ts'
import { listen, server } from '../transport/elysia/server.ts'
import type { SandboxServer } from './shared-server.ts'

/** Worlds stay open from one server to the next. */
let worlds: WorldProvider | null = null

/** Starts a server on a free loopback port, as `tapewright serve` without flags does. */
export async function startInProcess(): Promise<SandboxServer> {
  worlds ??= defaultWorlds()
  const library = scenarioLibrary(SCENARIOS_FOLDER)
  const registry = new Registry(worlds, ACTIVE_ACTIONS, {}, hostClock, () => {}, library)
  registry.stories = storyLibrary([STORIES_FOLDER], () => library.names())
  const opening = registry.open()
  // While the tape is read.
  const app = server({ registry, control: controlRoutes(registry, { token: null }), pages })
  const url = listen(app, { port: 0, host: '127.0.0.1' })
  await opening
  return {
    url,
    ended: async () => null,
    async stop() {
      registry.close()
      await app.server?.stop(true)
    },
  }
}
