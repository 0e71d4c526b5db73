/**
 * Benchmark of ten million events: takes some ten minutes and 4 GB of disk, so it is run by name
 * only.
 */
import { measureTapes } from './measure/tape-lengths.ts'

await measureTapes([10_000_000])
process.exit(0)
