/**
 * The way in from a checkout: installs what is missing, then runs the program with the words given.
 * `bun run serve --port 0` is `tapewright serve --port 0`.
 */
import { install } from './install.ts'

await install()
const { launch } = await import('../src/main.ts')
await launch(process.argv.slice(2))
