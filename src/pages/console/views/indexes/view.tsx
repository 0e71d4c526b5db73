/** Derived markets: indexes, stocks, funds. */

import { Dialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { useFetched } from '../../session/asking.ts'
import type { Session } from '../../session/connection.ts'
import { era } from '../../session/connection.ts'
import { numberText, percentText, shortText, signClass } from '../../shell/formats.ts'
import { language } from '../../shell/preferences.ts'
import type { View } from '../../shell/route.ts'
import { go, linkTo, route } from '../../shell/route.ts'
import { wording } from '../../shell/words.ts'

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
  const requested = useFetched(async ({ account }) => (await account.index.list()).list, {
    of: [era.value],
    everyMs: EVERY_MS,
  })
  const isChinese = language.value === 'zh'
  return (
    <Panel title={say('indexes')} isFlush>
      <Shown of={requested}>
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
  const requested = useFetched(stockRows, { of: [era.value], everyMs: EVERY_MS })
  return (
    <Panel title={say('stocks')} isFlush>
      <Shown of={requested}>
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

/** With the keys of companies for requests. */
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
  const requested = useFetched(
    async ({ account }) => Object.entries((await account.mix.fundcoScale({})).detail),
    { of: [era.value], everyMs: EVERY_MS },
  )
  return (
    <Panel title={say('trusts')} isFlush>
      <Shown of={requested}>
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

/** A number in percent; a dash for none. */
function Percent({ value }: { value: string | number }) {
  if (value === '-') return <>–</>
  return <span class={signClass(value)}>{percentText(Number(value) / 100)}</span>
}

/** Details of an index or a company. */
function IndexDialog({ id, onClose }: { id: string; onClose(): void }) {
  const requested = useFetched(
    async ({ account }) => {
      const { list } = await account.index.list()
      const item = list.find(({ key }) => key === id) ?? null
      return { item, price: await account.index.price({ query: { key: id } }) }
    },
    { of: [id], everyMs: 2000 },
  )
  const item = requested.data?.item
  const name = language.value === 'zh' ? item?.cn_name : item?.en_name
  return (
    <Dialog title={name ?? id} onClose={onClose} class="record">
      <p>{item?.describe}</p>
      <Shown of={requested}>
        {({ price }) => (
          <dl class="figures">
            <Pair name={say('value')} value={numberText(price.price)} />
            <Pair name={say('open')} value={numberText(price.open)} />
            <Pair name={say('high')} value={numberText(price.high)} />
            <Pair name={say('low')} value={numberText(price.low)} />
            <Pair name={say('rising')} value={price.up} />
            <Pair name={say('fallingCoins')} value={price.down} />
          </dl>
        )}
      </Shown>
    </Dialog>
  )
}

function StockDialog({ symbol, onClose }: { symbol: string; onClose(): void }) {
  const requested = useFetched(({ account }) => account.stock.company({ path: { symbol } }), {
    of: [symbol],
  })
  return (
    <Dialog title={requested.data?.company_name ?? symbol} onClose={onClose} class="record">
      <Shown of={requested} isEmpty={(company) => company === null}>
        {(company) =>
          company && (
            <>
              <p>{company.description}</p>
              {company.announcement !== '' && <p>{company.announcement}</p>}
              <dl class="figures">
                <Pair name={say('market')} value={company.market} />
                <Pair name={say('country')} value={company.country_region} />
                <Pair name={say('cap')} value={shortText(company.market_cap)} />
                <Pair name={say('annualHigh')} value={numberText(company.annual_high)} />
                <Pair name={say('annualLow')} value={numberText(company.annual_low)} />
              </dl>
            </>
          )
        }
      </Shown>
    </Dialog>
  )
}

const Pair = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const say = wording({
  title: ['Indexes', '指数与股票'],
  about: ['Indexes, crypto-related stocks and funds', '指数、加密概念股与基金'],
  indexes: ['Indexes', '指数'],
  stocks: ['Stocks', '股票'],
  trusts: ['Fund trusts', '信托基金'],
  index: ['Index', '指数'],
  value: ['Value', '数值'],
  change: ['24 h', '24小时'],
  kind: ['Category', '类别'],
  stock: ['Stock', '股票'],
  company: ['Company', '公司'],
  price: ['Price', '价格'],
  day: ['Change', '涨跌幅'],
  volume: ['Volume', '成交量'],
  cap: ['Market cap', '市值'],
  market: ['Market', '市场'],
  coin: ['Coin', '币种'],
  held: ['Held', '持有量'],
  dayChange: ['Daily change', '日变化'],
  high: ['24 h high', '24小时最高'],
  low: ['24 h low', '24小时最低'],
  open: ['24 h ago', '24小时前'],
  rising: ['rising', '上涨'],
  fallingCoins: ['falling', '下跌'],
  annualHigh: ['52-week high', '52周最高'],
  annualLow: ['52-week low', '52周最低'],
  country: ['Country', '国家/地区'],
})
