import path from 'node:path'

const ROOT = path.join(import.meta.dir, '..')

/** Writes a tape of two minutes, as `tapewright tape synth` makes it. */
export async function shortTape(file: string): Promise<void> {
  const words = ['tape', 'synth', '--seed', '7', '--minutes', '2', '--out', file]
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...words], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(said)
}
