/** Bundles the console for browsers: a page, its script and its style sheet. */
import path from 'node:path'
import type { BunPlugin } from 'bun'

/** A file of the bundle, and all its sources, by path. */
export interface ConsoleBundle {
  files: { name: string; bytes: Uint8Array<ArrayBuffer> }[]
  inputs: string[]
}

/** Bundles the sources in `src/pages/console` of the project's folder. Throws their errors. */
export async function bundleConsole(project: string): Promise<ConsoleBundle> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [path.join(project, 'src/pages/console/console.html')],
    root: path.join(project, 'src/pages/console'),
    tsconfig: path.join(project, 'src/pages/console/tsconfig.json'),
    target: 'browser',
    format: 'esm',
    minify: true,
    metafile: true,
    publicPath: '/console/',
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [browserSources],
  })
  return {
    files: await Promise.all(
      outputs.map(async (output) => ({
        name: path.basename(output.path),
        bytes: new Uint8Array(await output.arrayBuffer()),
      })),
    ),
    inputs: [
      'src/pages/console/tsconfig.json',
      ...Object.keys(metafile?.inputs ?? {}).map((input) =>
        path.relative(project, path.resolve(input)),
      ),
    ],
  }
}

/** Replaces sources by their versions for browsers. */
const browserSources: BunPlugin = {
  name: 'sources for browsers',
  setup(build) {
    build.onResolve({ filter: /\/platform\/next-turn\.ts$/ }, ({ path: to, importer }) => ({
      path: path.resolve(path.dirname(importer), path.dirname(to), 'browser-next-turn.ts'),
    }))
  },
}
