/** Finds a coin by some letters of its name. */
import { Finder } from '../../parts/finder.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import type { Session } from '../../session/connection.ts'
import { numberText, percentText, signClass } from '../../shell/formats.ts'
import { say } from './words.ts'

export interface CoinPickerProps {
  onPick(coin: string): void
  onClose(): void
}

export function CoinPicker({ onPick, onClose }: CoinPickerProps) {
  const coins = useAsked(coinRows, { everyMs: 3000 })
  const find = (typed: string) =>
    (coins.data ?? []).filter(({ coin, names }) =>
      `${coin} ${names}`.toLowerCase().includes(typed.trim().toLowerCase()),
    )
  return (
    <Finder
      title={say('pickCoin')}
      hint={say('searchCoin')}
      find={find}
      keyOf={({ coin }) => coin}
      option={coinOption}
      optionClass="coin-option"
      around={(list) => <Shown of={coins}>{list}</Shown>}
      onPick={({ coin }) => onPick(coin)}
      onClose={onClose}
    />
  )
}

const coinOption = ({ coin, names, price, change }: CoinRow) => (
  <>
    <span>
      {coin} <span class="faint">{names}</span>
    </span>
    <span class="number">{numberText(price)}</span>
    <span class={`number ${signClass(change ?? 0)}`}>
      {change === null ? '' : percentText(change)}
    </span>
  </>
)

interface CoinRow {
  coin: string
  names: string
  price: string
  /** In 24 hours, a fraction; null where the list of coins does not have it. */
  change: number | null
}

async function coinRows({ account }: Session): Promise<CoinRow[]> {
  const [tickers, list] = await Promise.all([account.perpdex.tickers(), account.coin.list()])
  const keys = list.map(({ coin_key }) => coin_key).slice(0, 100)
  const figures = await account.coin.ticker({ query: { coin_list: keys.join(',') } })
  return tickers.map(({ coin, price }) => {
    const known = list.find(({ show }) => show === coin)
    const figure = figures.find(({ coin_key }) => coin_key === known?.coin_key)
    return {
      coin,
      price,
      names: known ? `${known.en_name} ${known.cn_name}` : '',
      change: figure === undefined ? null : Number(figure.degree_24h_usd) / 100,
    }
  })
}
