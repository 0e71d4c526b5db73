/** A coin, which leads to its market. */
import { linkTo } from '../../shell/route.ts'

export const CoinLink = ({ coin }: { coin: string }) => (
  <a href={linkTo('market', [coin])}>{coin}</a>
)
