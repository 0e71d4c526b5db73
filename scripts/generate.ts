/** `bun run generate`: writes what is generated, once what it needs is installed. */
import { install } from './install.ts'

await install()
const { writeGenerated } = await import('./generated-files.ts')
await writeGenerated()
