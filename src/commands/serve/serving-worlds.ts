/** The worlds of a server, as its flags name them. */
import type { Upstream } from '../../replay/upstream.ts'
import type { Casting, WorldProvider } from '../../sandbox/loaded-world.ts'
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts'
import { worldProvider } from '../../sandbox/world-provider.ts'
import { RECORDED_ROUTES } from '../../session/recorded-routes.ts'
import { cacheFolder, memoryBytes, packedWorldsFolder, RECORDINGS_FOLDER } from '../environment.ts'

interface Named {
  tape: string
  seed: number
  history: readonly string[]
  upstream: Upstream | null
  sandbox: SandboxOptions
}

/** @param onProgress told how far a casting is */
export const servingWorlds = (
  { tape, seed, history, upstream, sandbox }: Named,
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
    memoryBytes: memoryBytes(),
    log,
    onProgress,
  })
