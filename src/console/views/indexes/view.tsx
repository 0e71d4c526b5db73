/** What is reckoned of the market, and what else goes with it: indexes, stocks, funds. */
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useAsked } from '../../session/asking.ts'
import type { Session } from '../../session/connection.ts'
import { era } from '../../session/era.ts'
import { numberText, percentText, shortText, signClass } from '../../shell/formats.ts'
import { language } from '../../shell/preferences.ts'
import { go, linkTo, route } from '../../shell/route.ts'
import type { View } from '../../shell/view.ts'
import { IndexDialog, StockDialog } from './record-dialogs.tsx'
import { say } from './words.ts'

export const indexesView: View = {
  id: 'indexes',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: 'M2.5 14l4-5 3.5 3 5-7M11.5 5h3.5v3.5M2.5 17h15',
  component: Indexes,
}

const EVERY_MS = 4000

function Indexes() {
  const [kind, key] = route.value.path
  const close = () => go('indexes')
  return (
    <div class="indexes">
      <IndexList />
      <StockList />
      <TrustList />
      {kind === 'index' && key !== undefined && <IndexDialog id={key} onClose={close} />}
      {kind === 'stock' && key !== undefined && <StockDialog symbol={key} onClose={close} />}
    </div>
  )
}

function IndexList() {
  const asked = useAsked(async ({ account }) => (await account.index.list()).list, {
    of: [era.value],
    everyMs: EVERY_MS,
  })
  const isChinese = language.value === 'zh'
  return (
    <Panel title={say('indexes')} isFlush>
      <Shown of={asked}>
        {(rows) => (
          <Table
            label={say('indexes')}
            rows={rows}
            keyOf={({ key }) => key}
            onPick={({ key }) => go('indexes', ['index', key])}
            columns={[
              {
                title: say('index'),
                cell: (row) => (
                  <a href={linkTo('indexes', ['index', row.key])}>
                    {isChinese ? row.cn_name : row.en_name}
                  </a>
                ),
              },
              { title: say('value'), isNumber: true, cell: ({ price }) => numberText(price) },
              {
                title: say('change'),
                isNumber: true,
                cell: ({ degree24h }) => <Percent value={degree24h} />,
              },
              {
                title: say('kind'),
                isMinor: true,
                cell: (row) => <span class="faint">{isChinese ? row.cn_type : row.en_type}</span>,
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

function StockList() {
  const asked = useAsked(stockRows, { of: [era.value], everyMs: EVERY_MS })
  return (
    <Panel title={say('stocks')} isFlush>
      <Shown of={asked}>
        {(rows) => (
          <Table
            label={say('stocks')}
            rows={rows}
            keyOf={({ symbol, market }) => `${symbol} ${market}`}
            columns={[
              {
                title: say('stock'),
                cell: ({ symbol, key }) => <a href={linkTo('indexes', ['stock', key])}>{symbol}</a>,
              },
              {
                title: say('company'),
                cell: ({ name }) => (
                  <span class="faint cut-text" title={name}>
                    {name}
                  </span>
                ),
              },
              {
                title: say('price'),
                isNumber: true,
                cell: ({ price, currency }) => `${numberText(price, 2)} ${currency}`,
              },
              {
                title: say('day'),
                isNumber: true,
                cell: ({ change_rate }) => <Percent value={change_rate} />,
              },
              {
                title: say('volume'),
                isNumber: true,
                isMinor: true,
                cell: (row) => shortText(row.volume),
              },
              {
                title: say('cap'),
                isNumber: true,
                isMinor: true,
                cell: (row) => shortText(row.market_cap),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

/** With the keys by which companies are asked for. */
async function stockRows({ account, control }: Session) {
  const [rows, { stockTickers }] = await Promise.all([
    account.stock.topGainer({ query: { limit: 100 } }),
    control.cast(),
  ])
  return rows.map((row) => {
    const start = `i:${row.symbol.toLowerCase()}:`
    return { ...row, key: stockTickers.find((one) => one.startsWith(start)) ?? row.symbol }
  })
}

function TrustList() {
  const asked = useAsked(
    async ({ account }) => Object.entries((await account.mix.fundcoScale({})).detail),
    { of: [era.value], everyMs: EVERY_MS },
  )
  return (
    <Panel title={say('trusts')} isFlush>
      <Shown of={asked}>
        {(rows) => (
          <Table
            label={say('trusts')}
            rows={rows}
            keyOf={([coin]) => coin}
            columns={[
              { title: say('coin'), cell: ([coin]) => coin.toUpperCase() },
              {
                title: say('held'),
                isNumber: true,
                cell: ([, scale]) => numberText(scale?.total ?? ''),
              },
              {
                title: say('dayChange'),
                isNumber: true,
                cell: ([, scale]) => (
                  <span class={signClass(scale?.day_change ?? 0)}>
                    {numberText(scale?.day_change ?? '')}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

/** Of a number that is in percent already; a dash of none. */
function Percent({ value }: { value: string | number }) {
  if (value === '-') return <>–</>
  return <span class={signClass(value)}>{percentText(Number(value) / 100)}</span>
}
