/** What each group of operations is about, in a sentence. */
const GROUPS: Readonly<Record<string, string>> = {
  coin: 'Coins: the list, their figures over all exchanges, and their profiles.',
  content: 'News, flashes, listing announcements and AI insights, in several languages.',
  distributor: 'Sub keys of a distributor: levels, quotas and registration by invite.',
  futures: 'Futures over several exchanges: depth, interest, funding and liquidations.',
  index: 'Market indices: the list, their prices and their components.',
  indicator: 'Candles and technical indicators of a pair.',
  mix: 'Market-wide figures: funds, treasuries, liquidations and long/short ratios.',
  perpdex: 'The perpetual venue: traders, fills, orders, positions, whales and liquidations.',
  signal: 'Alerts of a key, signals of strategies and of changes.',
  stock: 'Stocks of crypto companies: quotes, profiles and gainers.',
}

/** The group of an operation, by its id. */
export const groupOf = ({ id }: { id: string }): string => id.split('.')[0] ?? id

/** A group as a tag of a document. */
export const groupTag = (name: string) => ({ name, description: GROUPS[name] ?? `Group ${name}.` })
