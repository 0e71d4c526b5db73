import { test } from 'bun:test'
import path from 'node:path'
import { cutTape } from '../src/tape/cut.ts'
import { openTape } from '../src/tape/tape-reader.ts'
import { PERSONA_NAMES } from '../src/world/schema.ts'
import { marketOf } from './fixtures/asked-market.ts'
import { registryOn } from './fixtures/default-recording.ts'
import { PROJECT_FOLDER } from './fixtures/project-folder.ts'
import { isTrueOf } from './http/personas/truths.ts'
const RECORDING = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
const { header } = await openTape(RECORDING)
const sets = [['SOL','kPEPE'],['BTC','ETH','SOL'],['DOGE'],['xyz:TSLA'],['LINK','XRP','HYPE','DOGE','PURR/USDC'],['PURR/USDC']]
for (const [n, coins] of sets.entries()) for (const seed of [11+n, 21+n]) {
  const out = `/tmp/personas/z${n}.tape.ndjson`
  const fromMs = header.startMs + (2+n) * 60_000
  await cutTape(RECORDING, out, { fromMs, toMs: fromMs + 30_000, coins })
  const market = marketOf(await registryOn(out, seed))
  for (const name of PERSONA_NAMES) test(`${coins} ${seed} ${name}`, async () => { if (market.cast.personas[name]) await isTrueOf(name, market); else console.log('none', coins, name) })
}
