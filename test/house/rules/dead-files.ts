import type { Source } from './source-file.ts'

const ENTRY_POINTS = [
  ...['src/main.ts', 'src/index.ts', 'src/index-node.ts', 'src/launcher/bin.ts'],
  'src/platform/node-web-socket.ts',
  // A thread, started by name.
  'src/server/watchdog/watchdog-worker.ts',
  'src/server/control/conformance-worker.ts',
  // Part of the browser's worker, which scripts/browser-bundle.ts builds.
  ...['src/server/browser/worker.ts', 'src/platform/browser-next-turn.ts'],
  // Part of the page that src/server/transport/elysia/console-bundle.ts builds.
  'src/pages/console/main.tsx',
  ...['src/platform/browser-buffer.ts', 'src/server/control/metrics/page-metrics.ts'],
  'src/server/control/no-suite.ts',
  'src/market/world/page-tape-length.ts',
]

/** Files of `src` unreachable from the program, the library, a test or a benchmark. */
export function deadFindings(sources: Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const isRoot = (path: string) =>
    ENTRY_POINTS.includes(path) || !/^src\/(?!entries\/)/.test(path) || isTest(path)
  const waiting = sources.map((source) => source.path).filter(isRoot)
  const reached = new Set<string>(waiting)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const name of byPath.get(path)?.imports ?? [])
      if (byPath.has(name) && !reached.has(name)) {
        reached.add(name)
        waiting.push(name)
      }
  return sources
    .filter((source) => !reached.has(source.path))
    .map((source) => `${source.path} is dead: nothing imports it, wire it in or remove it`)
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}
