/** Files of candles that a user names for the time before a tape. */

import type { HistoryInput, RecordedHistory } from '../../market/casting/history-input.ts'
import { UserError } from '../../platform/user-error.ts'
import { type HistoryName, readHistoryName } from '../../tape/candles/history-name.ts'
import { fileDigest } from '../../tape/file-digest.ts'
import type { TapeHeader } from '../../tape/tape-event.ts'

/** The files, and what changes when any of them does. */
export interface HistoryOrder {
  files: readonly HistoryName[]
  /** Empty without files. */
  digest: string
}

/** The order for `FILE`s or `COIN=FILE`s; one that cannot be read is a UserError. */
export async function historyOrder(named: readonly string[]): Promise<HistoryOrder> {
  const files = named.map((one) => readHistoryName(one))
  const digests = await Promise.all(
    files.map(async ({ coin, file }) => `${coin ?? ''}=${await fileDigest(file)}`),
  )
  if (digests.length === 0) return { files, digest: '' }
  const hasher = new Bun.CryptoHasher('sha256')
  return { files, digest: hasher.update(digests.sort().join('\n')).digest('hex') }
}

/** Reads the files; a coin that the tape does not have, or that has two files, is a UserError. */
export async function recordedHistory(
  { files, digest }: HistoryOrder,
  { instruments }: Pick<TapeHeader, 'instruments'>,
): Promise<RecordedHistory> {
  const coins = instruments.map(({ coin }) => coin)
  const histories = (await Promise.all(files.map((one) => historiesOf(one, coins)))).flat()
  for (const [at, { coin, file }] of histories.entries()) {
    const other = histories.findIndex((one) => one.coin === coin)
    if (other < at)
      throw new UserError(
        `${file}: candles of ${coin} are in ${histories[other]?.file} too: one file for each coin`,
      )
  }
  return { histories, digest }
}

async function historiesOf(
  { coin: named, file }: HistoryName,
  coins: readonly string[],
): Promise<HistoryInput[]> {
  // Loaded when it is needed: a world that is in the cache needs only its name.
  const { readCandles } = await import('../../tape/candles/candle-file.ts')
  const series = await readCandles(file)
  return series.map(({ coin: written, lengthMs, candles }) => {
    const coin = coinOf(file, named, written, coins)
    return { coin, file, lengthMs, candles }
  })
}

function coinOf(
  file: string,
  named: string | null,
  written: string | null,
  coins: readonly string[],
): string {
  if (named !== null && written !== null && named !== written)
    throw new UserError(`${file}: has candles of ${written}, and was named as those of ${named}`)
  const coin = named ?? written ?? (coins.length === 1 ? coins[0] : undefined)
  if (coin === undefined)
    throw new UserError(
      `${file}: does not say which coin its candles are of: name it, as --history ` +
        `${coins[0]}=${file}, or give it a column coin`,
    )
  if (coins.includes(coin)) return coin
  throw new UserError(`${file}: the tape has no ${coin}; it has ${coins.join(', ')}`)
}
