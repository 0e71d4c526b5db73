/** The entries of the package as modules for Node, Bun and bundlers. */
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from './install.ts'

/** Entries from sources outside of `src/entries`, by name. */
const OTHER_ENTRIES = [
  'src/index.ts',
  'src/index-node.ts',
  'src/entries/explore-node.ts',
  'src/platform/web-socket.ts',
  'src/platform/node-web-socket.ts',
  'src/platform/hmac-sha1.ts',
  'src/platform/portable-hmac-sha1.ts',
]

/** Files beside it, or selected at run time by `imports` of `package.json`. */
const CHOSEN_LATER: Record<string, string> = {
  'src/platform/web-socket.ts': '#web-socket',
  'src/platform/hmac-sha1.ts': '#hmac-sha1',
  // Contained in the compiled program.
  'src/server/embedding/in-process-server.ts': './main.js',
}

/** Writes the entries and their shared chunks; returns all inputs by path. */
export async function bundleLibrary(folder: string, names: readonly string[]): Promise<string[]> {
  const entries = [...names.map((name) => `src/entries/${name}.ts`), ...OTHER_ENTRIES]
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries.map((entry) => ({ in: entry, out: path.basename(entry, '.ts') })),
    outdir: folder,
    // Side by side, so that each finds the program beside itself.
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    bundle: true,
    splitting: true,
    metafile: true,
    charset: 'utf8',
    legalComments: 'none',
    external: externals(),
    plugins: [substitution],
  })
  return Object.keys(metafile.inputs)
}

/**
 * Writes the command as one CommonJS file for any Node: loading a module takes longer than starting
 * the program.
 */
export async function bundleLauncher(folder: string): Promise<void> {
  const outfile = path.join(folder, 'bin.cjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/launcher/bin.ts'],
    outfile,
    platform: 'node',
    target: 'node8',
    format: 'cjs',
    bundle: true,
    charset: 'utf8',
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('url').pathToFileURL(__filename).href" },
    plugins: [substitution],
  })
  chmodSync(outfile, 0o755)
}

type Packages = Record<'dependencies', object> & { peerDependencies?: object }

/** Dependencies are not bundled. */
function externals(): string[] {
  const { dependencies, peerDependencies = {} } = packageJson as Packages
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
}

const substitution: Plugin = {
  name: 'sources chosen later',
  setup(build) {
    // Only the used fields, without our development tools.
    build.onLoad({ filter: /package\.json$/ }, ({ path: file }) => {
      if (file !== path.join(ROOT, 'package.json')) return undefined
      const { version, dependencies } = packageJson
      return { contents: JSON.stringify({ version, dependencies }), loader: 'json' }
    })
    build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path: to, importer, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = path.relative(ROOT, path.resolve(path.dirname(importer), to))
      const later = CHOSEN_LATER[source]
      return later === undefined ? undefined : { path: later, external: true }
    })
  },
}
