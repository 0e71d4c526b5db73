/** Benchmark of importing a table of trades, against parsing the lines of the resulting tape. */
import { measureImport } from './measure/import-speed.ts'

await measureImport({
  name: 'a table of trades',
  file: 'trades.csv.zst',
  head: ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount'],
  parsesTape: true,
  line({ kind, coin, data, seq, time }) {
    if (kind !== 'trade') return null
    const { side, px, sz } = data
    const timeUs = `${time}000`
    const sideWord = side === 'B' ? 'buy' : 'sell'
    return ['some-futures', coin, timeUs, timeUs, seq, sideWord, px, sz].join(',')
  },
})
