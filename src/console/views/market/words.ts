import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Market', '行情'],
  about: ['Candles, book and trades of a coin, live', '某币种的实时K线、盘口与成交'],
  table: ['Table', '表格'],
  list: ['List', '列表'],
  coin: ['Coin', '币种'],
  price: ['Price', '价格'],
})
