import type { Source } from './source-file.ts'

/** Imports of a package outside its home. */
export function packageFindings(sources: Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((name) => {
      const homes = PACKAGE_FOLDERS[name.startsWith('.') ? '' : (name.split('/')[0] ?? '')]
      if (homes === undefined || homes.some((home) => path.startsWith(home))) return []
      return [`${path} imports ${name}: only ${homes.join(' and ')} may`]
    }),
  )
}

/** Which packages may be imported where, as the beginning of a path. */
const PACKAGE_FOLDERS: Record<string, readonly string[]> = {
  elysia: ['src/transport/elysia/'],
  '@elysiajs': ['src/transport/elysia/'],
  msw: ['src/transport/msw/'],
  '@playwright': ['src/playwright/'],
  'drizzle-orm': ['src/world/', 'src/sandbox/'],
  'bun:sqlite': ['src/world/', 'src/sandbox/'],
  '@sqlite.org': ['src/world/wasm/'],
  '@prometheus-io': ['src/control/metrics/open-metrics.ts'],
  '@faker-js': ['src/random/'],
  leven: ['src/suggestion/nearest-name.ts'],
  'lru-cache': ['src/world/cache.ts'],
  '@noble': ['src/platform/'],
  ws: ['src/platform/'],
  preact: ['src/console/'],
  '@preact': ['src/console/'],
  'lightweight-charts': ['src/console/'],
  buffer: ['src/platform/browser-buffer.ts'],
  hyparquet: ['src/tape/importers/parquet-rows.ts'],
  'hyparquet-compressors': ['src/tape/importers/parquet-rows.ts'],
  memoirist: ['src/conformance/said-data.ts', 'src/pipeline/router.ts'],
}
