/** `bun run accept-digest`: accepts the present digest of the default script. */
import { ACCEPTED_FILE, defaultScriptDigest } from '../test/fixtures/default-script.ts'

const digest = await defaultScriptDigest()
await Bun.write(ACCEPTED_FILE, `${JSON.stringify(digest, null, 2)}\n`)
console.log(`${digest.digest}: describe the change in CHANGELOG.md`)
process.exit(0)
