/** `bun run generate`: installs missing packages and writes generated files. */
import { install } from './install.ts'

await install()
const { writeGenerated } = await import('./generated-files.ts')
await writeGenerated()
