/** Benchmark of the exact arithmetic of fills in scaled whole numbers, against unchecked bigint. */
import { format, multiply, parse, rescale } from '../src/decimal/quantity.ts'
import { medianMs, row } from './measure/result-row.ts'

const COUNT = 200_000
const PX_SCALE = 1
const SZ_SCALE = 5
const MONEY_SCALE = 6

const texts = Array.from({ length: COUNT }, (_, index) => ({
  px: `${100_000 + (index % 977)}.${index % 10}`,
  sz: `0.${String(1 + (index % 9_973)).padStart(SZ_SCALE, '0')}`,
}))

type Pair<T> = { px: T; sz: T }

function readScaled(): Pair<number>[] {
  return texts.map(({ px, sz }) => ({ px: parse(px, PX_SCALE), sz: parse(sz, SZ_SCALE) }))
}

function readLarge(): Pair<bigint>[] {
  return texts.map(({ px, sz }) => ({
    px: BigInt(px.replace('.', '')),
    sz: BigInt(sz.replace('.', '')),
  }))
}

function addScaled(pairs: Pair<number>[]): number {
  let total = 0
  for (const { px, sz } of pairs)
    total += rescale(multiply(px, sz), PX_SCALE + SZ_SCALE, MONEY_SCALE)
  return total
}

function addLarge(pairs: Pair<bigint>[]): bigint {
  let total = 0n
  for (const { px, sz } of pairs) total += px * sz
  return total
}

const pairs = readScaled()
const largePairs = readLarge()
if (BigInt(addScaled(pairs)) !== addLarge(largePairs))
  throw new Error(`the two ways to add up do not agree: ${format(addScaled(pairs), MONEY_SCALE)}`)

async function compare(name: string, ours: () => unknown, bare: () => unknown): Promise<void> {
  const perSecond = (tookMs: number) => (COUNT / tookMs) * 1000
  const value = perSecond(await medianMs(ours))
  row({ name, value, baseline: perSecond(await medianMs(bare)), unit: 'fills/s' })
}

await compare('read price and size', readScaled, readLarge)
await compare(
  'multiply and add up',
  () => addScaled(pairs),
  () => addLarge(largePairs),
)
