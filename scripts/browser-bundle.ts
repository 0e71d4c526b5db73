/** The worker of a page as one file that browsers run, and SQLite beside it. */
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { POCKET_FILES } from '../src/server/browser/pocket-files.ts'
import { PACKED, packed } from '../src/server/transport/elysia/packed-file.ts'
import { ROOT } from './install.ts'

/** What a browser has in place of a source. */
const IN_BROWSERS: Record<string, string> = {
  'src/platform/hmac-sha1.ts': 'src/platform/portable-hmac-sha1.ts',
  'src/platform/next-turn.ts': 'src/platform/browser-next-turn.ts',
  'src/platform/text-hash.ts': 'src/platform/portable-text-hash.ts',
  'src/server/control/suite.ts': 'src/server/control/no-suite.ts',
  'src/market/world/tape-length.ts': 'src/market/world/page-tape-length.ts',
  'src/server/control/metrics/process-metrics.ts': 'src/server/control/metrics/page-metrics.ts',
}

/** A global of Bun and Node, of which the sources take some. */
export const BUFFER = 'src/platform/browser-buffer.ts'

/** Writes both into a folder, compressed; answers with all that went into it, by its path. */
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

/** Takes what a browser has in place of a source. */
export const browserSources: Plugin = {
  name: 'sources for browsers',
  setup({ onResolve, onLoad }) {
    // The writer of metrics names a value by it in an error.
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
