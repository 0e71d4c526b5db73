/** `bun run reference`: writes docs/reference.md from the contract. */
import { renameSync } from 'node:fs'
import path from 'node:path'
import { install, ROOT } from './install.ts'

await install()
const { reference } = await import('../src/specs/reference.ts')
const file = path.join(ROOT, 'docs', 'reference.md')
await Bun.write(`${file}.new`, reference())
renameSync(`${file}.new`, file)
console.log('docs/reference.md is written')
