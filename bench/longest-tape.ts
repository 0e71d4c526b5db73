/** What ten million events cost: some ten minutes and 4 GB of disk, so it is run by its name. */
import { measureTapes } from './measure/tape-lengths.ts'

await measureTapes([10_000_000])
process.exit(0)
