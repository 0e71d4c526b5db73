/** Benchmark of tapes by length, from ten thousand events to a million. */
import { measureTapes } from './measure/tape-lengths.ts'

await measureTapes([10_000, 100_000, 1_000_000])
process.exit(0)
