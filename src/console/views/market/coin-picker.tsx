/** Finds a coin by some letters of its name. */
import { useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
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
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const coins = useAsked(coinRows, { everyMs: 3000 })
  const found = (coins.data ?? []).filter(({ coin, names }) =>
    `${coin} ${names}`.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const pick = (coin: string | undefined) => {
    if (coin === undefined) return
    onClose()
    onPick(coin)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt(Math.min(found.length - 1, at + 1)),
    ArrowUp: () => setAt(Math.max(0, at - 1)),
    Enter: () => pick(found[at]?.coin),
  }
  return (
    <Dialog title={say('pickCoin')} onClose={onClose} class="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="coin-list"
        aria-activedescendant={found[at] && `coin-${at}`}
        aria-label={say('searchCoin')}
        placeholder={say('searchCoin')}
        autocomplete="off"
        spellcheck={false}
        autoFocus
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <Shown of={coins}>
        {() => (
          <div id="coin-list" role="listbox" aria-label={say('pickCoin')}>
            {found.map((row, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                key={row.coin}
                id={`coin-${index}`}
                class="coin-option"
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onClick={() => pick(row.coin)}
              >
                <span>
                  {row.coin} <span class="faint">{row.names}</span>
                </span>
                <span class="number">{numberText(row.price)}</span>
                <span class={`number ${signClass(row.change ?? 0)}`}>
                  {row.change === null ? '' : percentText(row.change)}
                </span>
              </div>
            ))}
          </div>
        )}
      </Shown>
    </Dialog>
  )
}

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
