/** An index or a company in full. */
import { Dialog } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { numberText, shortText } from '../../shell/formats.ts'
import { language } from '../../shell/preferences.ts'
import { say } from './words.ts'

export function IndexDialog({ id, onClose }: { id: string; onClose(): void }) {
  const asked = useAsked(
    async ({ account }) => {
      const { list } = await account.index.list()
      const item = list.find(({ key }) => key === id) ?? null
      return { item, price: await account.index.price({ query: { key: id } }) }
    },
    { of: [id], everyMs: 2000 },
  )
  const item = asked.data?.item
  const name = language.value === 'zh' ? item?.cn_name : item?.en_name
  return (
    <Dialog title={name ?? id} onClose={onClose} class="record">
      <p>{item?.describe}</p>
      <Shown of={asked}>
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

export function StockDialog({ symbol, onClose }: { symbol: string; onClose(): void }) {
  const asked = useAsked(({ account }) => account.stock.company({ path: { symbol } }), {
    of: [symbol],
  })
  return (
    <Dialog title={asked.data?.company_name ?? symbol} onClose={onClose} class="record">
      <Shown of={asked} isEmpty={(company) => company === null}>
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
