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

/** Allowed path prefixes of each package's imports. */
const PACKAGE_FOLDERS: Record<string, readonly string[]> = {
  elysia: ['src/server/transport/elysia/'],
  '@elysiajs': ['src/server/transport/elysia/'],
  msw: ['src/server/transport/msw/'],
  '@playwright': ['src/server/playwright/'],
  'drizzle-orm': ['src/market/', 'src/sandbox/state-file/'],
  'bun:sqlite': ['src/market/', 'src/sandbox/state-file/'],
  '@sqlite.org': ['src/market/wasm/'],
  '@prometheus-io': ['src/server/control/metrics/metric-family.ts'],
  '@faker-js': ['src/random/'],
  leven: ['src/contract/fields/nearest-name.ts'],
  'lru-cache': ['src/market/world/cache.ts'],
  '@noble': ['src/platform/'],
  ws: ['src/platform/'],
  preact: ['src/pages/console/'],
  '@preact': ['src/pages/console/'],
  'lightweight-charts': ['src/pages/console/'],
  buffer: ['src/platform/browser-buffer.ts'],
  hyparquet: ['src/tape/importers/parquet-rows.ts'],
  'hyparquet-compressors': ['src/tape/importers/parquet-rows.ts'],
  memoirist: ['src/conformance/answer-content.ts', 'src/sandbox/pipeline/operation-call.ts'],
}
