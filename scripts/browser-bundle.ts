/** A page's worker as one file for browsers, and SQLite beside it. */
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { POCKET_FILES } from '../src/server/browser/pocket-files.ts'
import { PACKED, packed } from '../src/server/transport/elysia/packed-file.ts'
import { ROOT } from './install.ts'

/** Browser replacements of sources. */
const IN_BROWSERS: Record<string, string> = {
  'src/platform/hmac-sha1.ts': 'src/platform/portable-hmac-sha1.ts',
  'src/platform/next-turn.ts': 'src/platform/browser-next-turn.ts',
  'src/platform/text-hash.ts': 'src/platform/portable-text-hash.ts',
  'src/server/control/suite.ts': 'src/server/control/no-suite.ts',
  'src/market/world/tape-length.ts': 'src/market/world/page-tape-length.ts',
  'src/server/control/metrics/process-metrics.ts': 'src/server/control/metrics/page-metrics.ts',
}

/** A global of Bun and Node that the sources use in part. */
export const BUFFER = 'src/platform/browser-buffer.ts'

/** Writes both into a folder, compressed; returns all inputs by path. */
export async function bundleBrowserWorker(folder: string): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/server/browser/worker.ts'],
    write: false,
    platform: 'browser',
    target: 'es2023',
    format: 'esm',
    bundle: true,
    minify: true,
    metafile: true,
    charset: 'utf8',
    legalComments: 'none',
    inject: [BUFFER],
    plugins: [browserSources],
  })
  const sqlite = path.join(ROOT, 'node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm')
  const write = (name: string, bytes: Uint8Array) =>
    Bun.write(path.join(folder, name + PACKED), packed(new Uint8Array(bytes)))
  for (const { contents } of outputFiles) await write(POCKET_FILES.worker, contents)
  await write(POCKET_FILES.sqlite, await Bun.file(sqlite).bytes())
  return Object.keys(metafile.inputs).filter((input) => !input.startsWith('words:'))
}

/** Resolves browser replacements. */
export const browserSources: Plugin = {
  name: 'sources for browsers',
  setup({ onResolve, onLoad }) {
    // The metrics writer uses it to format a value in an error.
    onResolve({ filter: /^util$/ }, ({ path: name }) => ({ path: name, namespace: 'words' }))
    onLoad({ filter: /.*/, namespace: 'words' }, () => ({
      contents: 'exports.inspect = JSON.stringify',
    }))
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path: to, importer, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = path.relative(ROOT, path.resolve(path.dirname(importer), to))
      const other = IN_BROWSERS[source]
      return other === undefined ? undefined : { path: path.join(ROOT, other) }
    })
  },
}
