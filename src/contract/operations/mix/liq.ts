import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { CurrencyParameter, LiquidationDetail } from '../../records/mix.ts'
import { liquidationQueryOf } from '../../responses/mix.ts'
import { SymbolName, Type } from '../../schema.ts'

export const mixLiq = operation({
  id: 'mix.liq',
  method: 'GET',
  path: '/mix/liq',
  title: 'Liquidation statistics',
  about: 'Liquidations of the last hour and of the last 24 hours, over all markets.',
  source: 'Feature and signal data; Liquidation statistics',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      currency: CurrencyParameter('cny'),
      type: Type.Optional(
        Type.Integer({
          description: '1 by coin (`coinKey`), 2 by market (`marketKey`); all by default',
          minimum: 1,
          maximum: 2,
        }),
      ),
      coinKey: Type.Optional(SymbolName('key of a coin, such as bitcoin')),
      marketKey: Type.Optional(Type.String({ description: 'key of a market, such as binance' })),
    }),
  },
  data: Type.Object({ detail: LiquidationDetail }, { additionalProperties: false }),
  assumed: [
    'Type 1 uses only `coinKey`, type 2 only `marketKey`; without a type, both are used. An ' +
      'omitted key means all.',
    'The sums are those of the liquidation histories of all pairs; market `hl` is the own venue.',
    'An unknown key has no liquidations.',
    '`maxLiqMarket` is the name of the market, because only the other field is called a key.',
    'Yuan at a fixed rate.',
  ],
  examples: [
    { name: 'everything, in dollars', query: { currency: 'usd' } },
    { name: 'a coin', query: { type: '1', coinKey: 'bitcoin', currency: 'usd' } },
    { name: 'a market', query: { type: '2', marketKey: 'binance' } },
  ],
  answer: ({ query }, facts) =>
    mapSlices(facts.mix.liquidations(liquidationQueryOf(query)), (detail) => ({ detail })),
})
